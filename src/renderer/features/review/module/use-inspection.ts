import { useEffect, useSyncExternalStore } from 'react'
import { deskReviewRoutes } from '../../../../shared/contracts/desk-review.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { digestOf } from '../../../lib/digest/digest.ts'
import { open } from '../../../lib/server/client.ts'
import { saveFile } from '../../../lib/app/save-file.ts'
import { createStore } from '../../../lib/state/store.ts'
import type { Store } from '../../../lib/state/store.ts'

type Module = Pick<DeskRelease, 'id' | 'sha256'>

/** The downloaded package of a release, and whether it matches its digest. */
export type Inspection =
  | { step: 'idle' }
  | { step: 'receiving'; received: number }
  /** The browser stores `file` outside of the page's memory, so the bytes are read again for each use. */
  | { step: 'checked'; file: Blob; digest: string; matches: boolean }
  | { step: 'failed'; error: ApiError }

interface Download {
  state: Store<Inspection>
  running: { result: Promise<Inspection>; abort: AbortController } | null
  /** How many components use it. */
  users: number
}

/** How many modules stay cached after no component uses them. */
const maxUnused = 2
const unusedMs = 1000
/** Progress is reported at most once per this many bytes. */
const reportEvery = 256 * 1024

const idle: Inspection = { step: 'idle' }
const downloads = new Map<string, Download>()

const downloadOf = ({ id, sha256 }: Module): Download => {
  const key = `${id} ${sha256}`
  const known = downloads.get(key) ?? { state: createStore<Inspection>(idle), running: null, users: 0 }
  // Map order: least recently used first.
  downloads.delete(key)
  downloads.set(key, known)
  return known
}

const forgetUnused = (): void => {
  const unused = [...downloads].filter(([, { users }]) => users === 0)
  for (const [index, [key, download]] of unused.entries()) {
    if (download.state.get().step === 'checked' && index >= unused.length - maxUnused) continue
    download.running?.abort.abort()
    downloads.delete(key)
  }
}

/**
 * Downloads a package once for all components that use it, with progress, and computes its digest here, not on the
 * server. `start` resolves to the result, without downloading again if the package is already there.
 */
export function useInspection({ id, sha256 }: Module): {
  inspection: Inspection
  start: () => Promise<Inspection>
} {
  const { state } = downloadOf({ id, sha256 })
  const inspection = useSyncExternalStore(state.subscribe, state.get)
  useEffect(() => {
    const download = downloadOf({ id, sha256 })
    download.users += 1
    return () => {
      download.users -= 1
      // Delayed, since another component of the same release may be mounted next.
      setTimeout(forgetUnused, unusedMs)
    }
  }, [id, sha256])
  return { inspection, start: () => startDownload({ id, sha256 }) }
}

function startDownload(module: Module): Promise<Inspection> {
  const download = downloadOf(module)
  const { state } = download
  const known = state.get()
  if (known.step === 'checked' && known.matches) return Promise.resolve(known)
  if (download.running !== null) return download.running.result
  const abort = new AbortController()
  const work = async (): Promise<Inspection> => {
    state.set({ step: 'receiving', received: 0 })
    const result = await receive(module, abort.signal, (received) =>
      state.set({ step: 'receiving', received }),
    )
    download.running = null
    state.set(abort.signal.aborted ? idle : result)
    return result
  }
  download.running = { abort, result: work() }
  return download.running.result
}

async function receive(
  { id, sha256 }: Module,
  signal: AbortSignal,
  progress: (received: number) => void,
): Promise<Inspection> {
  try {
    const response = await open(deskReviewRoutes.inspectDeskPackage, { params: { id }, signal })
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let received = 0
    let reported = 0
    const reader = response.body?.getReader()
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) break
      chunks.push(part.value)
      received += part.value.length
      if (received - reported < reportEvery) continue
      reported = received
      progress(received)
    }
    const file = new Blob(chunks, { type: 'application/wasm' })
    const digest = await digestOf(file)
    return { step: 'checked', file, digest, matches: digest === sha256 }
  } catch (error) {
    return { step: 'failed', error: asApiError(error) }
  }
}

/**
 * Saves a module whose digest was checked here. In the app, asks for a location, checks the digest again before the
 * file is put in place, and resolves to its path, or null if canceled. In a browser, downloads it and resolves to null.
 */
export async function saveModule(file: Blob, name: string, sha256: string): Promise<string | null> {
  if (bridge === null) {
    saveFile(file, name)
    return null
  }
  const answer = await bridge.files.saveModule({
    name,
    sha256,
    bytes: new Uint8Array(await file.arrayBuffer()),
  })
  return answer?.saved ?? null
}
