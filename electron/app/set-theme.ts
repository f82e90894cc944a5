import { nativeTheme } from 'electron'
import type { Settings } from '../../shared/domain/settings.ts'

export function setTheme({ theme }: Settings): void {
  nativeTheme.themeSource = theme ?? 'system'
}
