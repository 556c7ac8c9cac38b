import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { Call } from './command.ts'
import { texts } from './commands.texts.ts'
import type { deskCommand } from './declarations.ts'
import { makeDeskLink } from './desk-link.ts'
import { readRunning } from '../data-folder/running-file.ts'
import { exitCodes } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'

/** `skilldock desk`: prints one sign-in link and nothing else (rulings, "Desk without Electron"). */
export async function desk({ options }: Call<typeof deskCommand>): Promise<ExitCode> {
  const folder = findDataFolder()
  const running = readRunning(dataPaths(folder).running)
  if (running === null) {
    process.stderr.write(`${texts.desk.noServer(folder)}\n`)
    return exitCodes.noServer
  }
  const { subject, remote = false } = options
  const address = remote ? running.remoteDesk : running.dashboard
  if (address === null) {
    process.stderr.write(`${texts.desk.noRemoteDesk}\n`)
    return exitCodes.failed
  }
  const link = await makeDeskLink(folder, address, subject, 'cli', !remote)
  if (link.url !== null) {
    process.stdout.write(`${link.url}\n`)
    return exitCodes.done
  }
  const { administrators } = link
  const problem =
    administrators.length === 0
      ? texts.desk.noAdministrator
      : texts.desk.chooseAdministrator(administrators, remote)
  process.stderr.write(`${problem}\n`)
  return exitCodes.failed
}
