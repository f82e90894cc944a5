import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Arch } from 'electron-builder'

/** Where node-pty's addon lies in the packaged app. */
const addon = 'resources/app.asar.unpacked/node_modules/node-pty/build/Release/pty.node'

/** e_machine of an ELF file: elf(5). */
const machines = { x64: 0x3e, arm64: 0xb7 }

/** What belongs to a runtime that lies on the disk, and not to an app. */
const leftovers = ['version', 'recipe', 'resources/default_app.asar', 'resources/app']

/**
 * Looks at the packed app before its fuses are set. What must not reach a user ends the packaging.
 *
 * @param {import('electron-builder').AfterPackContext} context
 */
export default function afterPack({ appOutDir, arch, targets, packager }) {
  demandArchitecture(appOutDir, Arch[arch])
  for (const path of leftovers) rmSync(join(appOutDir, path), { recursive: true, force: true })
  if (targets.some(({ name }) => name !== 'dir')) demandOwnElectron(join(appOutDir, packager.executableName), packager.info.metadata)
}

/** The addon is the one that npm compiled on this machine; a package for another architecture would come without terminals. */
function demandArchitecture(folder, architecture) {
  if (readFileSync(join(folder, addon)).readUInt16LE(18) !== machines[architecture])
    throw new Error(`node-pty is not compiled for ${architecture}: build this package on a machine of that architecture.`)
}

/** Tests may run on an older Electron that somebody else packed. What its program says counts, and not what it is called. */
function demandOwnElectron(program, { devDependencies }) {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const found = execFileSync(program, ['--print', 'process.versions.electron'], { env, encoding: 'utf8' }).trim()
  if (found !== devDependencies.electron)
    throw new Error(`Packages for users need Electron ${devDependencies.electron}, and this is ${found}: a runtime for tests, of which only a folder can be made (npm run package -- --dir).`)
}
