/**
 * The AppImage that this process runs from. Its files are there only as long as the process, so what is to be started later
 * has to be started from the AppImage anew. The variables may be those of another AppImage, in whose terminal this is.
 */
export function appImage(execPath: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string | undefined {
  return APPIMAGE && APPDIR && execPath.startsWith(`${APPDIR}/`) ? APPIMAGE : undefined
}
