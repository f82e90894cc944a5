import { expect, it } from 'vitest'
import { sampleProject, sampleSandbox } from '../dev/samples.ts'
import { projectInView } from './use-keys.ts'

const sandbox = sampleSandbox('api')
const state = { view: { kind: 'empty' as const }, sandboxes: [sandbox], ended: {}, projects: [sampleProject('gone', { exists: false }), sampleProject('web')] }

it('a launch from the keyboard means the project that is looked at', () => {
  expect(projectInView({ ...state, view: { kind: 'project', folder: '/src/x' } })).toBe('/src/x')
  expect(projectInView({ ...state, view: { kind: 'sandbox', id: sandbox.id } })).toBe(sandbox.project)
  expect(projectInView({ ...state, sandboxes: [], view: { kind: 'sandbox', id: sandbox.id }, ended: { [sandbox.id]: { sandbox, exitCode: 0 } } })).toBe(sandbox.project)
})
it('else the last one whose folder is there', () => {
  expect(projectInView(state)).toBe('/home/ada/src/web')
  expect(projectInView({ ...state, projects: [] })).toBeNull()
})
