import { describe, expect, it } from 'vitest'
import { refuseWorkspacePath } from './workspace-path.ts'

describe('paths of a workspace', () => {
  it.each(['.', 'a', 'a/b c/ü', './a', 'a/', 'a//b', '..a/b..', '...', '-rf', '~', 'a\nb', '$HOME', 'C:\\x'])('%j may be asked for', (path) => {
    expect(refuseWorkspacePath(path)).toBeNull()
  })

  it.each([
    ['', /empty/],
    ['/etc/passwd', /absolute/],
    ['//x', /absolute/],
    ['..', /"\.\."/],
    ['a/../../b', /"\.\."/],
    ['a/..', /"\.\."/],
    ['a\0b', /NUL/],
    ['x'.repeat(1_001), /longer/],
    ['a\ud800', /Unicode/],
  ])('%j is refused with a reason', (path, why) => {
    expect(refuseWorkspacePath(path)).toMatch(why)
  })
})
