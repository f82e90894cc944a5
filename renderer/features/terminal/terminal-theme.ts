import type { ISearchOptions } from '@xterm/addon-search'
import type { ITheme } from '@xterm/xterm'

/** Colours of the terminal; each of the sixteen has at least 4.5:1 on the background, but black (dark) and white (light). */
export const darkTheme: ITheme = {
  background: '#17181a', foreground: '#e4e5e8', cursor: '#e4e5e8', cursorAccent: '#17181a', selectionBackground: '#3a4a6b',
  black: '#2a2c30', red: '#f2867d', green: '#6fcf97', yellow: '#e0ae4e', blue: '#8aadff', magenta: '#d69cf0', cyan: '#6cc8d8', white: '#c9ccd1',
  brightBlack: '#8b8f97', brightRed: '#ffa39b', brightGreen: '#8fe0b0', brightYellow: '#f2c777', brightBlue: '#aac4ff', brightMagenta: '#e5baf7', brightCyan: '#92dde9', brightWhite: '#ffffff',
}

export const lightTheme: ITheme = {
  background: '#ffffff', foreground: '#1b1c1f', cursor: '#1b1c1f', cursorAccent: '#ffffff', selectionBackground: '#cfdcf8',
  black: '#1b1c1f', red: '#b3261e', green: '#1a7640', yellow: '#875500', blue: '#2858c8', magenta: '#8a3ea8', cyan: '#0f6f83', white: '#6b6f76',
  brightBlack: '#5a5e66', brightRed: '#c4362d', brightGreen: '#1d7f46', brightYellow: '#8f5c00', brightBlue: '#3566da', brightMagenta: '#9a4bb8', brightCyan: '#12788d', brightWhite: '#3a3d42',
}

const darkMatch = { matchBackground: '#5a4812', activeMatchBackground: '#a2701a' }
const lightMatch = { matchBackground: '#f8e3a4', activeMatchBackground: '#f0b429' }

/** How matches of a search are marked on a theme. */
export function searchColours(theme: ITheme | undefined): NonNullable<ISearchOptions['decorations']> {
  const ruler = '#b8862b'
  return { ...(theme === lightTheme ? lightMatch : darkMatch), matchOverviewRuler: ruler, activeMatchColorOverviewRuler: ruler }
}
