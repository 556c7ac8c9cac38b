import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { start, builtEntry, temporaryFolder } from '../support/server/command-line.ts'
import type { Ended } from '../support/server/command-line.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import type { Random } from './random.ts'

export interface CommandFigures {
  /** How often the command was killed before it ended, and how often it ended first. */
  killed: number
  finished: number
  violations: string[]
}

/** Runs a command and kills it with SIGKILL after some milliseconds, unless it has ended by then. */
async function interrupt(data: string, args: string[], afterMs: number): Promise<Ended & { tookMs: number }> {
  const begun = performance.now()
  const { child, ended } = start(process.execPath, [builtEntry, ...args], { SKILLDOCK_DATA: data })
  await Promise.race([delay(afterMs), ended])
  const tookMs = Math.ceil(performance.now() - begun)
  child.kill('SIGKILL')
  return { ...(await ended), tookMs }
}

/** Counts rounds until the command was killed so many times. Throws if it usually ends first. */
function* roundsOf(figures: CommandFigures, kills: number): Generator<number> {
  for (let round = 1; figures.killed < kills; round += 1) {
    if (round > kills * 4)
      throw new Error(`the command was killed in only ${figures.killed} of ${round} rounds`)
    yield round
  }
}

/** Milliseconds that the command takes when it is not killed. */
async function durationOf(data: string, args: string[]): Promise<number> {
  const { status, stderr, tookMs } = await interrupt(data, args, 60_000)
  if (status !== 0) throw new Error(`${args[0]}: ${stderr}`)
  return tookMs
}

/** A backup is complete or not there, and the next one removes what a killed one has left. */
export async function interruptBackups(random: Random, kills: number, data: string): Promise<CommandFigures> {
  const folder = temporaryFolder()
  const figures: CommandFigures = { killed: 0, finished: 0, violations: [] }
  let longest = await durationOf(data, ['backup', join(folder, 'first.tar')])
  for (const round of roundsOf(figures, kills)) {
    const file = join(folder, 'backup.tar')
    const { signal, status, tookMs } = await interrupt(data, ['backup', file], random.integer(1, longest))
    figures[signal === null ? 'finished' : 'killed'] += 1
    if (signal === null) longest = Math.min(longest, tookMs)
    if (status === 0 && !existsSync(file))
      figures.violations.push(`round ${round}: an acknowledged backup is missing`)
    if (existsSync(file)) {
      const { status: verified, stdout } = await skilldockHere(data, ['verify', file])
      if (verified !== 0) figures.violations.push(`round ${round}: ${stdout}`)
      rmSync(file)
    }
  }
  // For a minute, a folder may belong to a backup that is just starting.
  for (const name of readdirSync(folder).filter((one) => one.startsWith('.')))
    utimesSync(join(folder, name), 0, 0)
  const last = await skilldockHere(data, ['backup', join(folder, 'last.tar')])
  if (last.status !== 0) figures.violations.push(`the last backup: ${last.stderr}`)
  const names = readdirSync(folder).toSorted()
  if (names.join() !== 'first.tar,last.tar')
    figures.violations.push(`left beside the backups: ${names.join(', ')}`)
  return figures
}

/** A registry is restored completely, or the folder says that it must be restored again. */
export async function interruptRestores(
  random: Random,
  kills: number,
  data: string,
): Promise<CommandFigures> {
  const folder = temporaryFolder()
  const file = join(folder, 'backup.tar')
  const figures: CommandFigures = { killed: 0, finished: 0, violations: [] }
  const made = await skilldockHere(data, ['backup', file])
  if (made.status !== 0) throw new Error(made.stderr)
  let longest = await durationOf(join(folder, 'first'), ['restore', file])
  const expected = await summaryOf(data)
  for (const round of roundsOf(figures, kills)) {
    const target = join(folder, `data-${round}`)
    const { signal, status, tookMs } = await interrupt(target, ['restore', file], random.integer(1, longest))
    figures[signal === null ? 'finished' : 'killed'] += 1
    if (signal === null) longest = Math.min(longest, tookMs)
    const isThere = existsSync(join(target, 'skilldock.db'))
    if (status === 0 && !isThere)
      figures.violations.push(`round ${round}: an acknowledged restore is missing`)
    if (!isThere) {
      const again = await skilldockHere(target, ['restore', file])
      if (again.status !== 0) figures.violations.push(`round ${round}, again: ${again.stderr}`)
    }
    const found = await summaryOf(target)
    if (found !== expected) figures.violations.push(`round ${round}: ${found} instead of ${expected}`)
    rmSync(target, { recursive: true, force: true })
  }
  return figures
}

/** What `verify` says without the folder's name: counts and problems. */
async function summaryOf(data: string): Promise<string> {
  const { stdout, stderr } = await skilldockHere(data, ['verify'])
  return (stdout + stderr).replaceAll(data, '')
}
