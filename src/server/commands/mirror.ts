import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../shared/errors.ts'
import { dataPaths, FolderInUseError, initializeDataFolder } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { storageOf } from '../data-folder/storage-marker.ts'
import { commandWaitMs, openDatabase } from '../db/database.ts'
import { acquireFileLock } from '../db/file-lock.ts'
import { withOrigin } from '../db/log/origin.ts'
import { parseLife } from '../domains/identity/identity.rules.ts'
import { createMirrorRuns } from '../mirror/fill-mirror.ts'
import type { MirrorRun } from '../mirror/fill-mirror.ts'
import { openOrigin } from '../mirror/origin.ts'
import { findDataFolder } from '../settings/config.ts'
import { openFileStores } from '../storage/open-stores.ts'
import { createWasmValidator } from '../wasm/wasm-validator.ts'
import type { Call, Facts } from './command.ts'
import { texts } from './commands.texts.ts'
import type { mirrorCommand } from './declarations.ts'
import { exitCodes, UsageError } from './exit-codes.ts'

/** A timer can't wait longer than 24 days. */
const longestSeconds = 7 * 24 * 3600

/** `skilldock mirror URL`: fills a mirror until SIGTERM or SIGINT, or once. */
export async function mirror(call: Call<typeof mirrorCommand>): Promise<Facts> {
  const { options, positionals } = call
  const ending = new AbortController()
  const registry = openOrigin(positionals[0] ?? '', readTimeout(options.timeout), ending.signal)
  const everyMs = readInterval(options.every)
  const paths = dataPaths(findDataFolder())
  initializeDataFolder(paths)
  const lock = acquireFileLock(paths.mirrorLock, 0)
  if (lock === null) throw new FolderInUseError(texts.mirror.inUse(paths.folder))
  const database = openDatabase(paths.database, { waitMs: commandWaitMs })
  const validator = createWasmValidator({ startProcess: () => call.program.startHelper('modules') })
  const end = (): void => ending.abort()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  try {
    const runs = createMirrorRuns({
      database,
      files: (await openFileStores(paths, storageOf(paths))).packages,
      validator,
      registry,
      logKey: options['log-key'] ?? null,
      attestationKey: options['attestation-key'] ?? null,
      everyMs: options.once === true ? null : everyMs,
    })
    return await withOrigin({ person: null, channel: 'cli', address: null }, () =>
      options.once === true
        ? report(call, runs.run()).catch((error: unknown) => {
            throw ending.signal.aborted ? new Refusal(texts.mirror.interrupted, { cause: error }) : error
          })
        : repeat(call, runs.run, { everyMs, signal: ending.signal }),
    )
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, end)
    await validator.stop()
    database.close()
    lock.release()
  }
}

async function report(
  { print }: Pick<Call<typeof mirrorCommand>, 'print'>,
  running: Promise<MirrorRun>,
): Promise<Facts> {
  const run = await running
  print(texts.mirror.done(new Date().toISOString(), run))
  return { exitCode: run.problems.length === 0 ? exitCodes.done : exitCodes.failed, data: run }
}

/** Runs until the signal. A failed run is reported and repeated. */
async function repeat(
  call: Call<typeof mirrorCommand>,
  run: () => Promise<MirrorRun>,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
): Promise<Facts> {
  let data: unknown = null
  while (!signal.aborted) {
    const started = performance.now()
    try {
      data = (await report(call, run())).data
    } catch (error) {
      if (signal.aborted) break
      const reason = messageOf(error)
      process.stderr.write(`${texts.mirror.failed(new Date().toISOString(), reason)}\n`)
    }
    const restMs = Math.max(0, everyMs - (performance.now() - started))
    await delay(restMs, undefined, { signal }).catch(() => {})
  }
  return { data }
}

function readInterval(text: string): number {
  const seconds = parseLife(text)
  if (seconds !== null && seconds <= longestSeconds) return seconds * 1000
  throw new UsageError(texts.mirror.invalidTime(text))
}

/** In milliseconds. */
function readTimeout(text: string): number {
  const seconds = Number(text)
  if (seconds >= 0.1 && seconds <= 3600) return seconds * 1000
  throw new UsageError(texts.mirror.invalidTimeout(text))
}
