import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { callbackPort, loopbackPort } from '../../../shared/domain/callback-port.ts'
import { parseRegion } from '../../../shared/domain/desktop-shot.ts'
import { isOpenableUrl } from '../../../shared/domain/openable-url.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { CommandContext } from '../program.ts'
import { printNote } from '../print.ts'
import { onlySandbox } from '../only-sandbox.ts'
import { placesOfSandboxes } from './cp.ts'
import { forwardAll } from './ports.ts'
import { inGuest } from './guest.ts'

interface ShotFlags {
  output?: string
  region?: string
  wait?: string
}

const maxWaitSeconds = 3_600

/** Adds what is done with a sandbox's desktop from outside: `paddock screenshot` and `paddock open-url`. */
export function addDesktopCommands(program: Command, { session, finish }: CommandContext): void {
  program
    .command('screenshot')
    .summary('take a picture of a sandbox’s desktop')
    .description('Takes a picture (PNG) of the desktop of a running sandbox, whose profile must have one.')
    .argument('<id>', 'id or unique beginning of one')
    .option('-o, --output <file>', 'where to write it; "-" is stdout (default: stdout where that is no terminal)')
    .option('--region <WxH+X+Y>', 'a part of the desktop, in its pixels')
    .option('--wait <seconds>', 'wait so long first')
    .action(async (id: string, { output, region, wait = '0' }: ShotFlags) => {
      const wanted = region === undefined ? undefined : parseRegion(region)
      if (wanted === null) throw new PaddockError({ code: 'usage', message: `"${region}" is no region.`, hint: 'Write --region 640x480+0+0: width, height, and where it begins.' })
      const seconds = /^\d+(\.\d+)?$/.test(wait) ? Number(wait) : NaN
      if (!(seconds >= 0 && seconds <= maxWaitSeconds)) throw new PaddockError({ code: 'usage', message: `"${wait}" is no time to wait.`, hint: `Write --wait 2.5; at most ${maxWaitSeconds}.` })
      if (output === undefined && process.stdout.isTTY) throw new PaddockError({ code: 'usage', message: 'A picture is nothing for a terminal.', hint: 'Name a file: -o shot.png' })
      const { takeScreenshot } = await import('../../core/desktops/screenshot.ts')
      const shot = await inGuest(session, id, async (guest) => {
        await sleep(seconds * 1_000)
        return takeScreenshot(guest, { region: wanted })
      })
      const [width, height] = [shot.region.width, shot.region.height]
      if (wanted && (width !== wanted.width || height !== wanted.height)) printNote(`The picture is ${width}x${height}: the rest of ${region} lies outside of the screen, which is ${shot.screen.width}x${shot.screen.height}.`)
      if (output === undefined || output === '-') await new Promise((done) => process.stdout.write(shot.png, done))
      else {
        const { saveFile } = await import('../../core/files/save-file.ts')
        await saveFile(resolve(process.env.PADDOCK_CWD ?? process.cwd(), output), shot.png, await placesOfSandboxes(session))
      }
      finish(0)
    })
  program
    .command('open-url')
    .summary('open an address in a sandbox’s browser')
    .description('Opens a web address in Chromium on a sandbox’s desktop. With --outside the sandbox’s port to which a login would lead back is led here until Ctrl-C, for a browser of this machine.')
    .argument('<id>', 'id or unique beginning of one')
    .argument('<url>', 'http or https')
    .option('--outside', 'for a browser of this machine')
    .action(async (id: string, url: string, { outside = false }: { outside?: boolean }) => {
      if (!isOpenableUrl(url)) throw new PaddockError({ code: 'usage', message: `"${url}" is no web address.`, hint: 'It begins with http:// or https://.' })
      const sandbox = await onlySandbox(session, id)
      if (!outside && !sandbox.hasDesktop) throw noDesktop(sandbox.id)
      finish(await inGuest(session, sandbox.id, async (guest) => {
        if (outside) {
          const port = callbackPort(url) ?? loopbackPort(url)
          if (port === null) throw new PaddockError({ code: 'usage', message: 'This address leads to no port of the sandbox, so nothing has to be forwarded.', hint: 'Open it in your browser as it is.' })
          return forwardAll(guest, [{ port, local: port }], () => printNote(`Open it in your browser: ${url}`))
        }
        const { createDesktopActions } = await import('../../core/desktops/desktop-actions.ts')
        await createDesktopActions(async () => guest).launch(['chromium', url], guest.workdir)
        return 0
      }))
    })
}

function noDesktop(id: string): PaddockError {
  return new PaddockError({
    code: 'desktop-unavailable',
    message: `Sandbox ${id.slice(0, 12)} has no desktop, and so no browser.`,
    hint: 'Launch the profile "desktop", or one that is built on it with desktop=on. With --outside you open it in your own browser.',
  })
}
