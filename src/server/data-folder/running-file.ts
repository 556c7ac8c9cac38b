import { readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { replaceFile } from '../../files/durable-files.ts'
import { isRunning } from '../../files/is-running.ts'
import type { Config } from '../settings/config.ts'
import { remoteDeskOf } from '../settings/settings.ts'
import { dataPaths } from './data-folder.ts'

const runningSchema = z.object({
  registry: z.string(),
  dashboard: z.string(),
  /** The address of the remote desk; null while it is off. Absent in files of earlier versions. */
  remoteDesk: z.string().nullable().default(null),
  pid: z.int().positive(),
  startedAt: z.string(),
})

/** Addresses and process of a data folder's running server (rulings, "Ready file"). */
export type Running = z.infer<typeof runningSchema>

/** The contents of `running.json`, or null if its server no longer runs. */
export function readRunning(path: string): Running | null {
  try {
    const running = runningSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    return isRunning(running.pid) ? running : null
  } catch {
    return null
  }
}

/** Writes `running.json` for other commands, and the ready file for scripts that wait for the server. */
export function announce(config: Readonly<Config>, addresses: Pick<Running, 'registry' | 'dashboard'>): void {
  const running: Running = {
    ...addresses,
    remoteDesk: remoteDeskOf(config),
    pid: process.pid,
    startedAt: new Date().toISOString(),
  }
  replaceFile(dataPaths(config.dataFolder).running, `${JSON.stringify(running)}\n`)
  writeReadyFile(config, addresses)
}

export function writeReadyFile({ readyFile }: Pick<Config, 'readyFile'>, addresses: object): void {
  if (readyFile !== null) replaceFile(readyFile, `${JSON.stringify(addresses)}\n`)
}

export function removeRunning(path: string): void {
  rmSync(path, { force: true })
}
