import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { deskOwnRoutes } from '../../../shared/contracts/desk-own.ts'
import type { RegistrySubmission } from '../../../shared/contracts/releases.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import type { ApiError } from '../../lib/server/api-error.ts'
import { uploadForm } from '../../lib/upload/upload.ts'
import type { Upload, UploadProgress } from '../../lib/upload/upload.ts'

export interface Submission {
  /** How far it is, or null while nothing is sent. */
  progress: UploadProgress | null
  /** Why it was not taken, or null. */
  refusal: ApiError | null
  wasCancelled: boolean
  submit(manifest: string, module: Blob): void
  /** Ends what is sent; what was picked stays. */
  cancel(): void
  /** Forgets a refusal. */
  forget(): void
}

/** Sends a release for review; leaving the page ends it. */
export function useSubmission(onDone: (submission: RegistrySubmission) => void): Submission {
  const client = useQueryClient()
  const running = useRef<Upload<RegistrySubmission> | null>(null)
  const [progress, setProgress] = useState<UploadProgress>({ sent: 0, total: 0 })
  const mutation = useMutation({
    mutationFn: ({ manifest, module }: { manifest: string; module: Blob }) => {
      setProgress({ sent: 0, total: module.size })
      const form = new FormData()
      form.set('manifest', manifest)
      form.set('wasm', module, 'skill.wasm')
      running.current = uploadForm<RegistrySubmission>(deskOwnRoutes.submitOwn.path, form, setProgress)
      return running.current.done
    },
    onSuccess: onDone,
    // Also after one that was cancelled or cut: it may have arrived.
    onSettled: () => client.invalidateQueries({ queryKey: ['own', 'releases'] }),
  })
  useEffect(() => () => running.current?.cancel(), [])
  const wasCancelled = mutation.error?.name === 'AbortError'
  return {
    progress: mutation.isPending ? progress : null,
    refusal: mutation.error === null || wasCancelled ? null : asApiError(mutation.error),
    wasCancelled,
    submit: (manifest, module) => {
      if (!mutation.isPending) mutation.mutate({ manifest, module })
    },
    cancel: () => running.current?.cancel(),
    forget: () => mutation.reset(),
  }
}
