import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { channels } from '../ipc/channels.ts'

// One generic bridge: the contract is checked on the other side, so no call needs code of its own here.
const progressListeners = new Map<string, (progress: unknown) => void>()
ipcRenderer.on(channels.progress, (_event, callId: string, progress: unknown) => progressListeners.get(callId)?.(progress))

contextBridge.exposeInMainWorld('paddock', {
  async call(name: string, input: unknown, callId: string, onProgress?: (progress: unknown) => void): Promise<unknown> {
    if (onProgress) progressListeners.set(callId, onProgress)
    try {
      return await ipcRenderer.invoke(channels.call, { name, input, callId })
    } finally {
      progressListeners.delete(callId)
    }
  },
  cancel: (callId: string) => ipcRenderer.send(channels.cancel, callId),
  onEvent(listener: (event: unknown) => void): () => void {
    const forward = (_event: unknown, news: unknown) => listener(news)
    ipcRenderer.on(channels.event, forward)
    return () => void ipcRenderer.off(channels.event, forward)
  },
  /** Hands files that were dropped to the main process. The page gets a word for them: it can make no file that has a path. */
  offerFiles: (files: readonly File[]): Promise<unknown> => ipcRenderer.invoke(channels.offer, files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== '')),
  pathOf: (file: File) => webUtils.getPathForFile(file),
})

// A port cannot cross the bridge as a value; the page hands it over in a message to itself.
window.addEventListener('message', ({ source, data, ports }) => {
  if (source !== window || !ports[0]) return
  if (data?.type === channels.terminal) ipcRenderer.postMessage(channels.terminal, data.terminalId, [ports[0]])
  else if (data?.type === channels.desktop) ipcRenderer.postMessage(channels.desktop, data.sandboxId, [ports[0]])
})
