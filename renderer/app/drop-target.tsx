import { useEffect, useState } from 'react'
import { useActions, useApi } from '../store/context.tsx'

/** A folder dropped anywhere becomes a project. */
export function DropTarget() {
  const api = useApi()
  const actions = useActions()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      for (const file of event.dataTransfer?.files ?? []) void actions.addProject(api.pathOf(file))
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [api, actions])
  return isOver ? <div className="drop">Drop the folder to open it as a project</div> : null
}
