import { dataPaths } from '../data-folder/data-folder.ts'
import { findDataFolder } from '../settings/config.ts'
import { compactFolder } from '../verify/compact-folder.ts'
import { examineFolder } from '../verify/doctor.ts'
import { doctorTexts } from '../verify/doctor.texts.ts'
import type { Call } from './command.ts'
import { texts } from './commands.texts.ts'
import type { doctorCommand } from './declarations.ts'
import { exitCodes } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'

/** `skilldock doctor [--repair] [--json]`: says what is wrong with a data folder and its server, and what to do. */
export async function doctor({ options }: Call<typeof doctorCommand>): Promise<ExitCode> {
  const paths = dataPaths(findDataFolder())
  if (options.repair) {
    const { before, after } = await compactFolder(paths)
    process.stderr.write(`${doctorTexts.compact.done(before, after)}\n`)
  }
  const findings = await examineFolder(paths)
  const problems = findings.filter(({ ok }) => !ok).length
  const report = options.json
    ? JSON.stringify({ folder: paths.folder, ok: problems === 0, findings }, null, 2)
    : texts.doctor.report(paths.folder, findings)
  process.stdout.write(`${report}\n`)
  return problems === 0 ? exitCodes.done : exitCodes.failed
}
