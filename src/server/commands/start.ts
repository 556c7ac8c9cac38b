import { readWindowEnvironment } from '../settings/config.ts'
import type { Call, Outcome } from './command.ts'
import { texts } from './commands.texts.ts'
import type { startCommand } from './declarations.ts'
import { makeDeskLink } from './desk-link.ts'
import { openDesk } from './desk-window.ts'
import type { OpenedDesk } from './desk-window.ts'
import { UsageError } from './exit-codes.ts'
import { runServices } from './run-services.ts'

/** `skilldock start`: runs the services like `serve` and opens the desk in a window or a browser. */
export async function start({ options, program, print }: Call<typeof startCommand>): Promise<Outcome> {
  const patience = /^[1-9]\d{0,3}$/.test(options.patience) ? Number(options.patience) : null
  if (patience === null) throw new UsageError(texts.start.invalidPatience)

  return runServices(program, print, {
    async createSidecar({ config, server }) {
      const address = server.local.url
      const link = await makeDeskLink(config.dataFolder, address)
      let desk: OpenedDesk | null = null
      return {
        lines: link.url === null ? [texts.start.severalAdministrators] : texts.start.link(link.url),
        begin() {
          desk = openDesk({
            appFolder: program.appFolder,
            environment: readWindowEnvironment(),
            silentMs: patience * 1000,
            isLinkPrinted: link.url !== null,
            // The only administrator may have changed since the first link.
            makeLink: async () => (await makeDeskLink(config.dataFolder, address)).url ?? `${address}/desk/`,
            say: print,
            isAttended: process.stdout.isTTY,
          })
        },
        async end() {
          await desk?.end()
        },
      }
    },
  })
}
