import { useEffect, useState } from 'react'
import { useApi, useAppStore } from '../store/context.tsx'

/** A folder dropped anywhere on the window becomes a project. */
export function DropTarget() {
  const api = useApi()
  const store = useAppStore()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      // What lies under it takes it itself.
      if (event.defaultPrevented) return setOver(false)
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = hasFiles(event) ? 'link' : 'none'
      setOver(hasFiles(event))
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = async (event: DragEvent) => {
      setOver(false)
      if (event.defaultPrevented) return
      event.preventDefault()
      const folders = [...(event.dataTransfer?.files ?? [])].map((file) => api.pathOf(file))
      // One after the other: each is shown, and the last one stays.
      for (const folder of folders) if (folder !== '') await store.getState().addProject(folder)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [api, store])
  return isOver ? <div className="drop">Drop a folder to open it as a project</div> : null
}
