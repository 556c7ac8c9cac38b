import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { deskCommand } from './declarations.ts'
import { makeDeskLink } from './desk-link.ts'
import { readRunning } from '../data-folder/running-file.ts'
import { NoServerError } from './exit-codes.ts'

/** `skilldock desk`: prints one sign-in link and nothing else, unless with --json (rulings, "Desk without Electron"). */
export async function desk({ options, print }: Call<typeof deskCommand>): Promise<Facts> {
  const folder = findDataFolder()
  const running = readRunning(dataPaths(folder).running)
  if (running === null) throw new NoServerError(texts.desk.noServer(folder))
  const { subject, remote = false } = options
  const address = remote ? running.remoteDesk : running.dashboard
  if (address === null) throw new Refusal(texts.desk.noRemoteDesk)
  const link = await makeDeskLink(folder, address, subject, 'cli', !remote)
  if (link.url !== null) {
    print(link.url)
    return { data: { url: link.url } }
  }
  const { administrators } = link
  throw new Refusal(
    administrators.length === 0
      ? texts.desk.noAdministrator
      : texts.desk.chooseAdministrator(administrators, remote),
  )
}
