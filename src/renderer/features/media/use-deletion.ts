import { useEffect, useRef, useState } from 'react'
import { asApiError } from '../../lib/server/api-error.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { deleteImage } from './media.api.ts'
import { texts } from './media.texts.ts'

export interface Deletable {
  sha256: string
  size: number
}

interface Deletion {
  /** Null while nothing is being deleted. */
  progress: { done: number; of: number } | null
  start(images: readonly Deletable[]): void
  /** Cancels the current request, which the server may still carry out, and deletes no further images. */
  stop(): void
}

/** Deletes images one at a time. The server refuses to delete one that is in use. */
export function useDeletion(onEnd: () => void): Deletion {
  const [progress, setProgress] = useState<Deletion['progress']>(null)
  const abort = useRef(new AbortController())
  // Null after the page was left, where there is nothing to close or focus.
  const end = useRef<(() => void) | null>(null)
  useEffect(() => {
    end.current = onEnd
    return () => {
      end.current = null
    }
  })

  const run = async (images: readonly Deletable[], signal: AbortSignal): Promise<void> => {
    const deleted: Deletable[] = []
    const reasons: string[] = []
    for (const image of images) {
      if (signal.aborted) break
      try {
        // Sequential, since each deletion is a write to the server's disk.
        await deleteImage(image.sha256, signal)
        deleted.push(image)
      } catch (error) {
        if (!signal.aborted) reasons.push(asApiError(error).message)
      }
      setProgress({ done: deleted.length + reasons.length, of: images.length })
    }
    setProgress(null)
    end.current?.()
    showToast(report(images.length, deleted, reasons))
  }
  return {
    progress,
    start(images) {
      if (progress !== null || images.length === 0) return
      abort.current = new AbortController()
      setProgress({ done: 0, of: images.length })
      void run(images, abort.current.signal)
    },
    stop: () => abort.current.abort(),
  }
}

function report(of: number, deleted: readonly Deletable[], reasons: readonly string[]) {
  const bytes = deleted.reduce((sum, { size }) => sum + size, 0)
  const done = texts.dock.deleted(deleted.length, bytes)
  const [first] = reasons
  if (first !== undefined) {
    const text = texts.dock.notDeleted(reasons.length, of, first)
    return { kind: 'error' as const, text: deleted.length === 0 ? text : `${done} ${text}` }
  }
  return { kind: 'done' as const, text: done }
}
