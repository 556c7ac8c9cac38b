import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { inBytes } from '../backup/progress.ts'
import { readBackup } from '../backup/read-backup.ts'
import type { AllCounts } from '../backup/stored-files.ts'
import { makeWorkFolder } from '../backup/work-folder.ts'
import { verifyFolder } from '../backup/verify-folder.ts'
import { findDataFolder } from '../config.ts'
import { dataPaths } from '../data-folder.ts'
import { Refusal } from '../refusal.ts'
import { exitCodes, UsageError } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'
import { interruptible } from './interruptible.ts'
import { createProgressLine } from './progress-line.ts'

interface Found {
  counts: AllCounts
  states: Map<string, number>
}

/** `skilldock verify [FILE]`: every row against every file and digest, of the data folder or of a backup. */
export async function verify(words: string[]): Promise<ExitCode> {
  const [file, extra] = parseArgs({ args: words, allowPositionals: true, options: {} }).positionals
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`)
  const line = createProgressLine()
  let problems = 0
  let orphans = 0
  const report = {
    onProgress: line.show,
    onProblem(problem: string): void {
      problems += 1
      line.clear()
      process.stdout.write(`wrong   ${problem}\n`)
    },
    onOrphan(name: string): void {
      orphans += 1
      line.clear()
      process.stdout.write(`unused  ${name}\n`)
    },
  }
  const found =
    file === undefined
      ? await verifyFolder(dataPaths(findDataFolder()), report)
      : await verifyFile(file, report)
  line.clear()
  if (found !== null) process.stdout.write(describe(found, orphans))
  process.stdout.write(
    problems === 0
      ? 'All is as it should be.\n'
      : `${problems} ${problems === 1 ? 'thing is' : 'things are'} wrong.\n`,
  )
  return problems === 0 ? exitCodes.done : exitCodes.failed
}

/** Null where the backup is damaged, so that its content cannot be told. */
async function verifyFile(
  file: string,
  report: { onProblem(problem: string): void; onProgress(text: string): void },
): Promise<Found | null> {
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`)
  const work = makeWorkFolder(tmpdir(), 'skilldock-verify-')
  return interruptible(work.remove, async () => {
    try {
      return await readBackup(file, { ...report, work: dataPaths(work.path), keepFiles: false })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      report.onProblem(error.message)
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
      : `Pictures  ${counts.pictures}, ${inBytes(counts.pictureBytes)} with their copies\n`) +
    `People    ${counts.people}\n` +
    (orphans === 0 ? '' : `Unused    ${orphans} files, which the next start of the server removes\n`)
  )
}
