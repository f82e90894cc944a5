import type { ITerminalOptions } from '@xterm/xterm'
import type { Settings } from '../../../shared/domain/settings.ts'
import { darkTheme, lightTheme } from './terminal-theme.ts'

export const defaultFontSize = 13
const fallbackFont = "ui-monospace, 'Adwaita Mono', 'DejaVu Sans Mono', monospace"

/** The options of xterm.js that follow from the settings. Pure. */
export function terminalOptions({ terminalFont, terminalFontSize, screenReader }: Settings, isDark: boolean): ITerminalOptions {
  return {
    // A name with a space must be quoted, or it and all after it is ignored.
    fontFamily: terminalFont ? `${JSON.stringify(terminalFont)}, ${fallbackFont}` : fallbackFont,
    fontSize: terminalFontSize ?? defaultFontSize,
    screenReaderMode: screenReader ?? false,
    theme: isDark ? darkTheme : lightTheme,
  }
}
