import type { PanelHandlers, PanelServices } from '../panel-handlers.ts'
import { createGuestChannels } from '../../core/guest/guest-channels.ts'
import { createIdleChannels } from '../../core/guest/idle-channels.ts'
import { createDesktopHandlers } from './desktop-handlers.ts'
import { createEgressHandlers } from './egress-handlers.ts'
import { createFilesHandlers } from './files-handlers.ts'
import { createMcpHandlers } from './mcp-handlers.ts'
import { createPortsHandlers } from './ports-handlers.ts'

/** The calls of a sandbox's panels; loaded when the first of them is opened. */
export function createPanels(services: PanelServices): PanelHandlers {
  const { core } = services
  // Channels of their own: they are closed when nobody looks, while others' shells go on.
  const channels = createIdleChannels(createGuestChannels(core.podman, core.paths.launchesFolder))
  return {
    ...createDesktopHandlers(services, channels),
    ...createFilesHandlers(services, channels),
    ...createPortsHandlers(channels),
    ...createMcpHandlers(services),
    ...createEgressHandlers(services),
  }
}
