/** Whether a job opens windows, and so needs Electron, the libraries that it uses, and a display. */
export function needsWindow(job) {
  return ['start', 'test', 'screenshots'].includes(job)
}
