/** Whether a job opens windows or packs what does, and so needs Electron, the libraries that it uses, and a display. */
export function needsWindow(job) {
  return ['start', 'test', 'package', 'screenshots', 'bench'].includes(job)
}
