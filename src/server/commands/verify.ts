import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { countOf } from '../../shared/findings/check.ts'
import { inBytes } from '../backup/progress.ts'
import { readBackup } from '../backup/read-backup.ts'
import type { AllCounts } from '../backup/stored-files.ts'
import { makeWorkFolder } from '../backup/work-folder.ts'
import { verifyFolder } from '../backup/verify-folder.ts'
import type { VerifyReport } from '../backup/verify-folder.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { forkHelper } from '../processes/fork-helper.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { recheckReleases } from '../verify/recheck-releases.ts'
import { repairFolder } from '../verify/repair-folder.ts'
import type { Call } from './command.ts'
import type { verifyCommand } from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'
import type { Program } from './program.ts'
import { createProgressLine } from './progress-line.ts'

interface Found {
  counts: AllCounts
  states: Map<string, number>
}

/**
 * `skilldock verify [--repair] [FILE]`: checks all stored data and the digest of every file, in the data folder or in a
 * backup.
 */
export async function verify({
  positionals: [file],
  options,
  program,
}: Call<typeof verifyCommand>): Promise<ExitCode> {
  if (file !== undefined && options.repair) {
    throw new UsageError("A backup can't be repaired. Restore it, then repair the data folder.")
  }
  const paths = dataPaths(findDataFolder())
  const line = createProgressLine()
  if (file !== undefined) return conclude(line, (report) => verifyFile(file, report), 'backup')
  if (options.repair) await repair(paths, program, line)
  return conclude(line, (report) => verifyFolder(paths, report), options.repair ? 'repaired' : 'folder')
}

type ProgressLine = ReturnType<typeof createProgressLine>

/** Prints each problem and then a summary, and returns the exit code. */
async function conclude(
  line: ProgressLine,
  examine: (report: VerifyReport) => Promise<Found | null>,
  subject: 'backup' | 'folder' | 'repaired',
): Promise<ExitCode> {
  let problems = 0
  let repairable = 0
  let orphans = 0
  const print = (text: string): void => {
    line.clear()
    process.stdout.write(text)
  }
  const found = await examine({
    onProgress: line.show,
    onFound({ problem, repair: canRepair }) {
      problems += 1
      if (canRepair !== undefined) repairable += 1
      print(`error   ${problem}\n`)
    },
    onOrphan(name) {
      orphans += 1
      print(`unused  ${name}\n`)
    },
  })
  line.clear()
  if (found !== null) print(describe(found, orphans))
  if (problems === 0) {
    print('No problems found.\n')
    return exitCodes.done
  }
  print(`${countOf(problems, 'problem')} found.\n`)
  if (subject === 'folder' && repairable > 0) {
    const which = problems === 1 ? 'It' : repairable === problems ? 'All of them' : `${repairable} of them`
    print(`${which} can be repaired. Stop the server and run: skilldock verify --repair\n`)
  }
  if (subject === 'repaired' || (subject === 'folder' && repairable < problems)) {
    print(
      "What can't be repaired must be restored from a backup, into an empty folder: skilldock restore FILE\n",
    )
  }
  return exitCodes.failed
}

/** Backs up and repairs; does nothing if there is nothing to repair. */
async function repair(paths: DataPaths, program: Program, line: ProgressLine): Promise<void> {
  let repairable = 0
  await verifyFolder(paths, {
    onProgress: line.show,
    onFound: ({ repair: canRepair }) => void (repairable += canRepair === undefined ? 0 : 1),
    onOrphan: () => {},
  })
  line.clear()
  if (repairable === 0) return
  const print = (kind: string, text: string): void => {
    line.clear()
    process.stdout.write(`${kind}${text}\n`)
  }
  await repairFolder(
    paths,
    {
      onProgress: line.show,
      onBackup: (file) => print('backup  ', file),
      onRepaired: (problem) => print('fixed   ', problem),
    },
    (database) => recheckReleases(database, paths, () => forkHelper(program.helpers.modules, 'modules')),
  )
}

/** Null if the backup is too damaged to be read. */
async function verifyFile(file: string, report: VerifyReport): Promise<Found | null> {
  if (!existsSync(file)) throw new Refusal(`The file ${file} does not exist.`)
  const work = makeWorkFolder(tmpdir(), 'skilldock-verify-')
  return interruptible(work.remove, async () => {
    try {
      return await readBackup(file, { ...report, work: dataPaths(work.path), keepFiles: false })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      report.onFound({ problem: error.message })
      return null
    } finally {
      work.remove()
    }
  })
}

function describe({ counts, states }: Found, orphans: number): string {
  const byState = [...states].map(([state, count]) => `${count} ${state}`).join(', ')
  return (
    `Releases  ${counts.releases}${byState === '' ? '' : ` (${byState})`}\n` +
    `Packages  ${counts.packages}, ${inBytes(counts.packageBytes)}\n` +
    (counts.pictures === 0
      ? ''
      : `Images    ${counts.pictures}, ${inBytes(counts.pictureBytes)} including resized copies\n`) +
    `People    ${counts.people}\n` +
    (orphans === 0 ? '' : `Unused    ${countOf(orphans, 'file')}, removed when the server next starts\n`)
  )
}
