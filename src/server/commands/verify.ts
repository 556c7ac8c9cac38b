import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { readBackup } from '../backup/read-backup.ts'
import type { AllCounts } from '../backup/stored-files.ts'
import { makeWorkFolder } from '../backup/work-folder.ts'
import { verifyFolder } from '../backup/verify-folder.ts'
import type { VerifyReport } from '../backup/verify-folder.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { recheckReleases } from '../verify/recheck-releases.ts'
import { repairFolder } from '../verify/repair-folder.ts'
import type { Call } from './command.ts'
import { texts } from './commands.texts.ts'
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
  if (file !== undefined && options.repair) throw new UsageError(texts.verify.repairBackup)
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
    process.stdout.write(`${text}\n`)
  }
  const found = await examine({
    onProgress: line.show,
    onFound({ problem, repair: canRepair }) {
      problems += 1
      if (canRepair !== undefined) repairable += 1
      print(texts.verify.error(problem))
    },
    onOrphan(name) {
      orphans += 1
      print(texts.verify.unused(name))
    },
  })
  line.clear()
  if (found !== null) {
    const states = [...found.states].map(([state, count]) => `${count} ${state}`)
    print(texts.verify.summary(found.counts, states, orphans))
  }
  if (problems === 0) {
    print(texts.verify.noProblems)
    return exitCodes.done
  }
  print(texts.verify.problems(problems))
  if (subject === 'folder' && repairable > 0) print(texts.verify.repair(repairable, problems))
  if (subject === 'repaired' || (subject === 'folder' && repairable < problems)) print(texts.verify.restore)
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
  const print = (text: string): void => {
    line.clear()
    process.stdout.write(`${text}\n`)
  }
  await repairFolder(
    paths,
    {
      onProgress: line.show,
      onBackup: (file) => print(texts.verify.backup(file)),
      onRepaired: (problem) => print(texts.verify.fixed(problem)),
    },
    (database) => recheckReleases(database, paths, () => program.startHelper('modules')),
  )
}

/** Null if the backup is too damaged to be read. */
async function verifyFile(file: string, report: VerifyReport): Promise<Found | null> {
  if (!existsSync(file)) throw new Refusal(texts.usage.noFile(file))
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
