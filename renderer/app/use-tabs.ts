import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { useApp } from '../store/context.tsx'

export interface Tab {
  id: string
  title: string
  isEnded: boolean
}

/** The tabs in the order in which their sandboxes were started. */
export function useTabs(): Tab[] {
  const sandboxes = useApp((state) => state.sandboxes)
  const ended = useApp((state) => state.ended)
  const running = (sandboxes ?? []).filter(({ state }) => state === 'running' || state === 'paused')
  const over = Object.values(ended).map(({ sandbox }) => sandbox).filter(({ id }) => !running.some((sandbox) => sandbox.id === id))
  return [...running, ...over]
    .sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
    .map((sandbox) => ({ id: sandbox.id, title: titleOf(sandbox), isEnded: sandbox.id in ended }))
}

function titleOf({ project, id }: Sandbox): string {
  return project?.split('/').at(-1) ?? id.slice(0, 12)
}
