import { describe, expect, it } from 'vitest'
import { appCommand } from './open.ts'

const electron = { ...process.versions, electron: '45.0.0' }
const mounted = { APPIMAGE: '/home/ada/Paddock.AppImage', APPDIR: '/tmp/.mount_Paddoc1' }

describe('the app that a command starts', () => {
  it('is the program that the command runs on', () => {
    expect(appCommand('/code', { versions: electron, execPath: '/opt/Paddock/paddock-app', env: {} })).toEqual(['/opt/Paddock/paddock-app', '/code'])
  })

  it('is the AppImage, whose files go with the command', () => {
    expect(appCommand('/code', { versions: electron, execPath: '/tmp/.mount_Paddoc1/paddock-app', env: mounted })).toEqual(['/home/ada/Paddock.AppImage', '/code'])
  })

  it('is no other AppImage, in whose terminal the command was typed', () => {
    expect(appCommand('/code', { versions: electron, execPath: '/opt/Paddock/paddock-app', env: mounted })[0]).toBe('/opt/Paddock/paddock-app')
  })
})
