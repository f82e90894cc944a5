import { expect, it } from 'vitest'
import { sampleSandbox } from '../dev/samples.ts'
import { tabsOf } from './use-tabs.ts'

const early = sampleSandbox('a', { project: '/src/web', startedAt: '2026-01-01T00:00:00Z' })
const late = sampleSandbox('b', { project: '/src/api', startedAt: '2026-01-02T00:00:00Z' })

it('puts tabs in the order of their start, ended ones among them', () => {
  expect(tabsOf([late], { [early.id]: { sandbox: early, exitCode: 0 } }).map(({ title, isEnded }) => [title, isEnded])).toEqual([['web', true], ['api', false]])
})
it('has no tab for what does not run and was not looked at', () => {
  expect(tabsOf([{ ...late, state: 'exited' }], {})).toEqual([])
})
it('tells tabs of one project apart by their profile', () => {
  expect(tabsOf([early, { ...late, project: '/src/web', profile: 'node' }], {}).map(({ title }) => title)).toEqual(['web · default', 'web · node'])
})
it('numbers those that are told apart by nothing else', () => {
  expect(tabsOf([early, { ...late, project: '/src/web' }], {}).map(({ title }) => title)).toEqual(['web · default 1', 'web · default 2'])
})
it('names a sandbox without a project by its id', () => {
  expect(tabsOf([{ ...early, project: null }], {})[0]!.title).toBe(early.id.slice(0, 12))
})
