import { dataPaths } from '../data-folder/data-folder.ts'
import { findDataFolder } from '../settings/config.ts'
import { compactFolder } from '../doctor/compact-folder.ts'
import { examineFolder } from '../doctor/examine-folder.ts'
import { doctorTexts } from '../doctor/doctor.texts.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { doctorCommand } from './declarations.ts'
import { exitCodes } from './exit-codes.ts'

/** `skilldock doctor [--repair] [--json]`: says what is wrong with a data folder and its server, and what to do. */
export async function doctor({ options, print, style }: Call<typeof doctorCommand>): Promise<Facts> {
  const paths = dataPaths(findDataFolder())
  if (options.repair) {
    const { before, after } = await compactFolder(paths)
    process.stderr.write(`${doctorTexts.compact.done(before, after)}\n`)
  }
  const findings = await examineFolder(paths)
  const isFine = findings.every(({ state }) => state !== 'broken')
  print(texts.doctor.report(paths.folder, findings, style))
  return {
    exitCode: isFine ? exitCodes.done : exitCodes.failed,
    data: { folder: paths.folder, ok: isFine, findings },
  }
}
