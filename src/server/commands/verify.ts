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
import type { Call, Facts } from './command.ts'
import { inStatuses, texts } from './commands.texts.ts'
import type { verifyCommand } from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'
import type { Program } from './program.ts'

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
  ...output
}: Call<typeof verifyCommand>): Promise<Facts> {
  if (file !== undefined && options.repair) throw new UsageError(texts.verify.repairBackup)
  const paths = dataPaths(findDataFolder())
  if (file !== undefined) {
    const found = await examine(output, (report) => verifyFile(file, report))
    return conclude(found, { file }, output)
  }
  const repaired = options.repair ? await repair(paths, program, output) : null
  const found = await examine(output, (report) => verifyFolder(paths, report))
  if (found.problems.length > 0) {
    const repairable = found.problems.filter(({ isRepairable }) => isRepairable).length
    if (repaired === null && repairable > 0)
      found.next.push(texts.verify.repair(repairable, found.problems.length))
    if (repaired !== null || repairable < found.problems.length) found.next.push(texts.verify.restore)
  }
  return conclude(found, { folder: paths.folder, ...repaired }, output)
}

type Output = Pick<Call<typeof verifyCommand>, 'showProgress' | 'print' | 'style'>

interface Examined {
  problems: { problem: string; isRepairable: boolean }[]
  unused: string[]
  /** Null if nothing could be read. */
  found: Found | null
  /** What to do, as sentences. */
  next: string[]
}

/** Prints each problem when it is found. */
async function examine(
  { showProgress, print, style }: Output,
  read: (report: VerifyReport) => Promise<Found | null>,
): Promise<Examined> {
  const problems: Examined['problems'] = []
  const unused: string[] = []
  const found = await read({
    onProgress: showProgress,
    onFound({ problem, repair: canRepair }) {
      problems.push({ problem, isRepairable: canRepair !== undefined })
      print(texts.verify.error(problem, style))
    },
    onOrphan(name) {
      unused.push(name)
      print(texts.verify.unused(name))
    },
  })
  return { problems, unused, found, next: [] }
}

/** Prints the summary and what to do. */
function conclude({ problems, unused, found, next }: Examined, subject: object, { print }: Output): Facts {
  if (found !== null) {
    print(texts.verify.summary(found.counts, inStatuses(found.states), unused.length))
  }
  const ok = problems.length === 0
  print(ok ? texts.verify.noProblems : texts.verify.problems(problems.length))
  for (const sentence of next) print(sentence)
  return {
    exitCode: ok ? exitCodes.done : exitCodes.failed,
    data: {
      ...subject,
      ok,
      problems,
      unused,
      counts: found?.counts ?? null,
      statuses: found === null ? null : Object.fromEntries(found.states),
      next,
    },
  }
}

/** What was repaired, and where the backup is. */
interface Repaired {
  backup: string | null
  fixed: string[]
}

/** Backs up and repairs; does nothing if there is nothing to repair. */
async function repair(
  paths: DataPaths,
  program: Program,
  { showProgress, print }: Output,
): Promise<Repaired> {
  const repaired: Repaired = { backup: null, fixed: [] }
  let repairable = 0
  await verifyFolder(paths, {
    onProgress: showProgress,
    onFound: ({ repair: canRepair }) => void (repairable += canRepair === undefined ? 0 : 1),
    onOrphan: () => {},
  })
  if (repairable === 0) return repaired
  await repairFolder(
    paths,
    {
      onProgress: showProgress,
      onBackup(file) {
        repaired.backup = file
        print(texts.verify.backup(file))
      },
      onRepaired(problem) {
        repaired.fixed.push(problem)
        print(texts.verify.fixed(problem))
      },
    },
    (database) => recheckReleases(database, paths, () => program.startHelper('modules')),
  )
  return repaired
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
    }
  })
}
