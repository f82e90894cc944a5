import { describe, expect, it } from 'vitest'
import { isRiskyPaste, linesOf, terminalLook } from './terminal-look.ts'

describe('the terminal', () => {
  it('follows the system unless a theme is chosen', () => {
    const background = (theme: 'system' | 'light' | 'dark' | undefined, isDark: boolean) => terminalLook(theme ? { theme } : {}, isDark).theme?.background
    expect(background(undefined, true)).toBe(background('dark', false))
    expect(background('system', false)).toBe(background('light', true))
    expect(background('light', true)).not.toBe(background('dark', true))
  })
  it('falls back to a monospaced font', () => {
    expect(terminalLook({ terminalFont: 'No Such "Font' }, true).fontFamily).toMatch(/^"No Such \\"Font", .*monospace$/)
  })
})

describe('a paste', () => {
  it('is risky when each line would run as it comes', () => {
    expect(isRiskyPaste('one\ntwo', false)).toBe(true)
    expect(isRiskyPaste('one\r', false)).toBe(true)
  })
  it('has as many lines as a person counts', () => {
    expect(linesOf('one\ntwo\r\n')).toEqual(['one', 'two'])
    expect(linesOf('one')).toEqual(['one'])
  })
  it('is not when it is one line, or the program asks for pastes as a whole', () => {
    expect(isRiskyPaste('one', false)).toBe(false)
    expect(isRiskyPaste('one\ntwo', true)).toBe(false)
  })
})
