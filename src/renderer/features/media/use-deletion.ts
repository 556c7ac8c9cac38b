import { useRef, useState } from 'react'
import { asApiError } from '../../lib/server/api-error.ts'
import { formatSize, plural } from '../../lib/format.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { deletePicture } from './media.api.ts'

export interface Deletable {
  sha256: string
  size: number
}

export interface Deletion {
  /** How many of how many are deleted; null while nothing is being deleted. */
  progress: { done: number; of: number } | null
  start(pictures: readonly Deletable[]): void
  /** What has been deleted stays deleted. */
  stop(): void
}

/** Deletes pictures one after the other; each is refused by the server where something uses it. */
export function useDeletion(onEnd: () => void): Deletion {
  const [progress, setProgress] = useState<Deletion['progress']>(null)
  const abort = useRef(new AbortController())

  const run = async (pictures: readonly Deletable[], signal: AbortSignal): Promise<void> => {
    const deleted: Deletable[] = []
    const reasons: string[] = []
    for (const picture of pictures) {
      if (signal.aborted) break
      try {
        // One at a time: the server writes each of them to the disk.
        // oxlint-disable-next-line no-await-in-loop
        await deletePicture(picture.sha256, signal)
        deleted.push(picture)
      } catch (error) {
        if (!signal.aborted) reasons.push(asApiError(error).message)
      }
      setProgress({ done: deleted.length + reasons.length, of: pictures.length })
    }
    setProgress(null)
    onEnd()
    showToast(report(pictures.length, deleted, reasons))
  }
  return {
    progress,
    start(pictures) {
      if (progress !== null || pictures.length === 0) return
      abort.current = new AbortController()
      setProgress({ done: 0, of: pictures.length })
      void run(pictures, abort.current.signal)
    },
    stop: () => abort.current.abort(),
  }
}

function report(of: number, deleted: readonly Deletable[], reasons: readonly string[]) {
  const bytes = formatSize(deleted.reduce((sum, { size }) => sum + size, 0))
  const done = `${plural(deleted.length, 'picture')} deleted, ${bytes} less.`
  const [first] = reasons
  if (first !== undefined) {
    const text = `${plural(reasons.length, 'picture')} of ${of} ${reasons.length === 1 ? 'was' : 'were'} not deleted. ${first}`
    return { kind: 'error' as const, text: deleted.length === 0 ? text : `${done} ${text}` }
  }
  return { kind: 'done' as const, text: done }
}
