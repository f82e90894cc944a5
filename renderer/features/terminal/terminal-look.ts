import type { ITheme, ITerminalOptions } from '@xterm/xterm'
import type { Settings } from '../../../shared/domain/settings.ts'

const dark: ITheme = { background: '#17181a', foreground: '#e6e7e9', cursor: '#e6e7e9', selectionBackground: '#3a4a6b' }
const light: ITheme = {
  background: '#ffffff', foreground: '#1b1c1f', cursor: '#1b1c1f', selectionBackground: '#cfdcf8',
  black: '#1b1c1f', red: '#b3261e', green: '#1a7640', yellow: '#8a5a00', blue: '#2a5bd0', magenta: '#8a3ea8', cyan: '#0f6f83', white: '#6b6f76',
  brightBlack: '#595d65', brightRed: '#b3261e', brightGreen: '#1a7640', brightYellow: '#8a5a00', brightBlue: '#2a5bd0', brightMagenta: '#8a3ea8', brightCyan: '#0f6f83', brightWhite: '#1b1c1f',
}

/** How the settings make a terminal look. @param isSystemDark decides where the theme is the system's. Pure. */
export function terminalLook({ terminalFont, terminalFontSize, screenReader, theme }: Settings, isSystemDark: boolean): ITerminalOptions {
  const isDark = theme === 'dark' || (theme !== 'light' && isSystemDark)
  return {
    // A font that is not installed must not end in a proportional one.
    fontFamily: `${terminalFont ? `${JSON.stringify(terminalFont)}, ` : ''}ui-monospace, 'DejaVu Sans Mono', monospace`,
    fontSize: terminalFontSize ?? 13,
    screenReaderMode: screenReader ?? false,
    theme: isDark ? dark : light,
    minimumContrastRatio: 4.5,
  }
}

/** Whether pasting it into a program without bracketed paste would run something. Pure. */
export function isRiskyPaste(text: string, isBracketed: boolean): boolean {
  return !isBracketed && /[\r\n]/.test(text)
}

/** The lines of a text as a person counts them: what ends the last one begins no other. Pure. */
export function linesOf(text: string): string[] {
  return text.replace(/(\r\n?|\n)$/, '').split(/\r\n?|\n/)
}
