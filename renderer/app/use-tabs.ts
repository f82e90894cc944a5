import { useMemo } from 'react'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { useApp } from '../store/context.tsx'
import type { EndedTab } from '../store/state.ts'

export interface Tab {
  id: string
  title: string
  /** Folder of the project, or the id where there is none. */
  detail: string
  isEnded: boolean
}

/** The tabs in the order in which their sandboxes were started. */
export function useTabs(): Tab[] {
  const sandboxes = useApp((state) => state.sandboxes)
  const ended = useApp((state) => state.ended)
  return useMemo(() => tabsOf(sandboxes ?? [], ended), [sandboxes, ended])
}

/** What runs, and what ended and still has something to tell. Tabs of the same project tell their profile too, and a number. Pure. */
export function tabsOf(sandboxes: readonly Sandbox[], ended: Readonly<Record<string, EndedTab>>): Tab[] {
  const running = sandboxes.filter(({ id, state }) => (state === 'running' || state === 'paused') && !(id in ended))
  const all = [...running, ...Object.values(ended).map(({ sandbox }) => sandbox)].sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
  const isAmong = (names: readonly string[], name: string) => names.filter((other) => other === name).length > 1
  const names = all.map(nameOf)
  const titles = all.map(({ profile }, index) => (isAmong(names, names[index]!) ? `${names[index]} · ${profile}` : names[index]!))
  return all.map((sandbox, index) => ({
    id: sandbox.id,
    title: isAmong(titles, titles[index]!) ? `${titles[index]} ${titles.slice(0, index + 1).filter((title) => title === titles[index]).length}` : titles[index]!,
    detail: sandbox.project ?? sandbox.id.slice(0, 12),
    isEnded: sandbox.id in ended,
  }))
}

function nameOf({ project, id }: Sandbox): string {
  return project?.split('/').at(-1) || id.slice(0, 12)
}
