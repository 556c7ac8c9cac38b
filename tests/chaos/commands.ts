import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { start, builtEntry, temporaryFolder } from '../support/server/command-line.ts'
import type { Ended } from '../support/server/command-line.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import type { Random } from './random.ts'

export interface CommandFigures {
  rounds: number
  /** How often the command was killed before it ended, and how often it ended first. */
  killed: number
  finished: number
  violations: string[]
}

/** Runs a command and kills it with SIGKILL after some milliseconds, unless it has ended by then. */
async function interrupt(data: string, args: string[], afterMs: number): Promise<Ended> {
  const { child, ended } = start(process.execPath, [builtEntry, ...args], { SKILLDOCK_DATA: data })
  await Promise.race([delay(afterMs), ended])
  child.kill('SIGKILL')
  return ended
}

/** Milliseconds that the command takes when it is not killed, with some room. */
async function durationOf(data: string, args: string[]): Promise<number> {
  const begun = performance.now()
  const { status, stderr } = await interrupt(data, args, 60_000)
  if (status !== 0) throw new Error(`${args[0]}: ${stderr}`)
  return Math.ceil((performance.now() - begun) * 1.1)
}

/** A backup is complete or not there, and the next one removes what a killed one has left. */
export async function interruptBackups(
  random: Random,
  rounds: number,
  data: string,
): Promise<CommandFigures> {
  const folder = temporaryFolder()
  const figures: CommandFigures = { rounds, killed: 0, finished: 0, violations: [] }
  const longest = await durationOf(data, ['backup', join(folder, 'first.tar')])
  for (let round = 1; round <= rounds; round += 1) {
    const file = join(folder, 'backup.tar')
    const { signal, status } = await interrupt(data, ['backup', file], random.integer(1, longest))
    figures[signal === null ? 'finished' : 'killed'] += 1
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
  rounds: number,
  data: string,
): Promise<CommandFigures> {
  const folder = temporaryFolder()
  const file = join(folder, 'backup.tar')
  const figures: CommandFigures = { rounds, killed: 0, finished: 0, violations: [] }
  const made = await skilldockHere(data, ['backup', file])
  if (made.status !== 0) throw new Error(made.stderr)
  const longest = await durationOf(join(folder, 'first'), ['restore', file])
  const expected = await summaryOf(data)
  for (let round = 1; round <= rounds; round += 1) {
    const target = join(folder, `data-${round}`)
    const { signal, status } = await interrupt(target, ['restore', file], random.integer(1, longest))
    figures[signal === null ? 'finished' : 'killed'] += 1
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
