import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { deskReviewRoutes } from '../../../../shared/contracts/desk-review.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { ApiError } from '../../../lib/server/api-error.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { digestOf } from '../../../lib/digest/digest.ts'
import { open } from '../../../lib/server/client.ts'
import { saveFile } from '../../../lib/app/save-file.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'

type Module = Pick<DeskRelease, 'id' | 'sha256'>

/** A downloaded package. */
export interface ReceivedPackage {
  /** The browser stores it outside of the page's memory, so the bytes are read again for each use. */
  file: Blob
  digest: string
  /** Whether it has the digest of the release. */
  matches: boolean
}

/** The download of a release's package, and whether it matches its digest. */
type Inspection =
  | { step: 'idle' }
  | { step: 'receiving'; received: number }
  | ({ step: 'checked' } & ReceivedPackage)
  | { step: 'failed'; error: ApiError }

/** Progress is reported at most once per this many bytes. */
const reportEvery = 256 * 1024

/** How many bytes of each package have been received, by release id. */
const receivedBytes = createStore<ReadonlyMap<number, number>>(new Map())

const reportReceived = (id: number, bytes: number): void =>
  receivedBytes.set(new Map(receivedBytes.get()).set(id, bytes))

/** Downloads a package, and computes its digest here, not on the server. */
export const packageQuery = (module: Module) =>
  queryOptions({
    queryKey: ['package', module.id, module.sha256],
    queryFn: ({ signal }) => receive(module, signal),
    // Only a package that did not match its digest is downloaded again.
    staleTime: ({ state }) => (state.data?.matches === false ? 0 : 'static'),
    retry: false,
  })

/** The package of a release, downloaded with `start` once for all components that use it. */
export function useInspection(module: Module): { inspection: Inspection; start: () => void } {
  const client = useQueryClient()
  const { data, error, isFetching } = useQuery({ ...packageQuery(module), enabled: false })
  const received = useStore(receivedBytes).get(module.id) ?? 0
  const start = (): void => void client.prefetchQuery(packageQuery(module))
  if (isFetching) return { inspection: { step: 'receiving', received }, start }
  if (error !== null) return { inspection: { step: 'failed', error: asApiError(error) }, start }
  return { inspection: data === undefined ? { step: 'idle' } : { step: 'checked', ...data }, start }
}

async function receive({ id, sha256 }: Module, signal: AbortSignal): Promise<ReceivedPackage> {
  reportReceived(id, 0)
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
    reportReceived(id, received)
  }
  const file = new Blob(chunks, { type: 'application/wasm' })
  const digest = await digestOf(file)
  return { file, digest, matches: digest === sha256 }
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
