import { useEffect, useReducer, useRef } from 'react'
import { deskRoutes } from '../../../shared/contracts/desk.ts'
import type { DeskRelease } from '../../../shared/contracts/desk-review.ts'
import type { ApiError } from '../../lib/api-error.ts'
import { asApiError } from '../../lib/api-error.ts'
import { open } from '../../lib/client.ts'

/** The package of a release in this browser, and whether it is the one of the digest. */
export type Inspection =
  | { step: 'idle' }
  | { step: 'receiving'; received: number }
  | { step: 'checked'; bytes: Uint8Array<ArrayBuffer>; digest: string; matches: boolean }
  | { step: 'failed'; error: ApiError }

/** Downloads a package with progress, and computes its digest here and not on the server. */
export function useInspection(release: Pick<DeskRelease, 'id' | 'size' | 'sha256'>): {
  inspection: Inspection
  start: () => void
} {
  const [inspection, set] = useReducer((_: Inspection, next: Inspection) => next, { step: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = (): void => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const report = (next: Inspection): void => {
      if (!controller.signal.aborted) set(next)
    }
    report({ step: 'receiving', received: 0 })
    const work = async (): Promise<void> => {
      try {
        const bytes = await receive(release, controller.signal, (received) =>
          report({ step: 'receiving', received }),
        )
        const digest = await digestOf(bytes)
        report({ step: 'checked', bytes, digest, matches: digest === release.sha256 })
      } catch (error) {
        report({ step: 'failed', error: asApiError(error) })
      }
    }
    void work()
  }
  return { inspection, start }
}

async function receive(
  { id }: Pick<DeskRelease, 'id'>,
  signal: AbortSignal,
  progress: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await open(deskRoutes.inspectDeskPackage, { params: { id }, signal })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  const reader = response.body?.getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const part = await reader?.read()
    if (part === undefined || part.done) break
    chunks.push(part.value)
    received += part.value.length
    progress(received)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Hands bytes to the browser as a file to save. */
export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/wasm' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
