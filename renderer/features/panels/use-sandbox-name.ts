import { nameOf } from '../../../shared/domain/sandbox-tabs.ts'
import { useApp } from '../../store/context.tsx'

/** What a sandbox is called, also when Podman does not list it any more. */
export function useSandboxName(id: string): string {
  return useApp(({ sandboxes, open }) => nameOf(sandboxes?.find((one) => one.id === id)?.project ?? open[id]?.project ?? null, id))
}
