import { createBridge } from './api/bridge.ts'
import { startWindow } from './app/start-window.tsx'

startWindow(createBridge())
