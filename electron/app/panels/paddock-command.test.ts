import { expect, it } from 'vitest'
import { paddockCommand } from './paddock-command.ts'

const bundle = '/src/paddock/dist/paddock.cjs'

it('of an installed app is the one beside it', () => {
  expect(paddockCommand({ execPath: '/opt/Paddock/paddock-app', env: {}, isPackaged: true, bundle })).toEqual(['/opt/Paddock/bin/paddock'])
})

it('of an AppImage is the file itself, by the name of the command', () => {
  const env = { APPIMAGE: '/home/ada/Paddock.AppImage', APPDIR: '/tmp/.mount_x' }
  expect(paddockCommand({ execPath: '/tmp/.mount_x/paddock-app', env, isPackaged: true, bundle })).toEqual(['/bin/bash', '-c', 'exec -a paddock "$0" "$@"', '/home/ada/Paddock.AppImage'])
  // A shell in a terminal that is another AppImage.
  expect(paddockCommand({ execPath: '/opt/Paddock/paddock-app', env, isPackaged: true, bundle })).toEqual(['/opt/Paddock/bin/paddock'])
})

it('of a checkout is its bundle, by the Node that npm knows or the first on the path', () => {
  const of = (env: NodeJS.ProcessEnv) => paddockCommand({ execPath: '/e/electron', env, isPackaged: false, bundle })
  expect(of({ npm_node_execpath: process.execPath, PATH: '/bin' })).toEqual([process.execPath, bundle])
  expect(of({ npm_node_execpath: '/gone/node', PATH: `relative:/no/such:${process.execPath.replace(/\/[^/]*$/, '')}` })[0]).toMatch(/^\/.*\/node$/)
  expect(of({ PATH: '/no/such' })).toEqual(['node', bundle])
})
