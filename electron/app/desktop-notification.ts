import { Notification } from 'electron'
import type { Notice } from '../../shared/domain/notices.ts'

/** Kept until they are closed: what is collected as garbage hears no click. */
const shown = new Set<Notification>()

/** Shows a notification of the desktop's; without a notification service nothing is shown and nothing is said. */
export function showNotification({ title, body }: Notice, onClick: () => void): void {
  if (!Notification.isSupported()) return
  const notification = new Notification({ title, body })
  const forget = () => shown.delete(notification)
  shown.add(notification)
  notification.on('click', () => {
    forget()
    onClick()
  })
  notification.on('close', forget)
  notification.on('failed', forget)
  notification.show()
}
