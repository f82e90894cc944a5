import { describe, expect, it } from 'vitest'
import { launchNameOf, triedProfile, tryName } from './try-folder.ts'

const folder = '/home/mira/.local/state/paddock/tries/0f8fad5b-d9cb-469f-a165-70867728950e/try-web'

describe('a throwaway folder', () => {
  it.each([[tryName('web'), 'web'], [folder, 'web'], ['try-a.b_c-1', 'a.b_c-1']])('%s is of profile %s', (project, profile) => {
    expect(triedProfile(project)).toBe(profile)
  })

  it.each(['/home/mira/code/try-web', `${folder}/src`, folder.replace('0f8fad5b', '..'), '/home/mira/code/web', '', 'try-', 'try-../x', '/try-web'])('%s is none', (project) => {
    expect(triedProfile(project)).toBeNull()
    expect(launchNameOf(project)).toBe(project)
  })

  it('is launched again by the name of its profile, not by its path', () => {
    expect(launchNameOf(folder)).toBe('try-web')
  })
})
