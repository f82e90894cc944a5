import { useSyncExternalStore } from 'react'
import { useApp } from '../../store/context.tsx'

const query = () => matchMedia('(prefers-color-scheme: dark)')

/** Whether the window is dark now, by the settings or by the system. */
export function useDark(): boolean {
  const theme = useApp(({ settings }) => settings.theme ?? 'system')
  const isSystemDark = useSyncExternalStore(
    (onChange) => {
      const media = query()
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => query().matches,
  )
  return theme === 'system' ? isSystemDark : theme === 'dark'
}
