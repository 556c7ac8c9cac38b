import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { deskOwnRoutes } from '../../../shared/contracts/desk-own.ts'
import type { RegistrySubmission } from '../../../shared/contracts/releases.ts'
import { asApiError } from '../../lib/server/api-error.ts'
import type { ApiError } from '../../lib/server/api-error.ts'
import { uploadForm } from '../../lib/upload/upload.ts'
import type { Upload, UploadProgress } from '../../lib/upload/upload.ts'

export interface Submission {
  /** The progress of the upload; null while nothing is being uploaded. */
  progress: UploadProgress | null
  /** Why the server refused the release, or null. */
  refusal: ApiError | null
  wasCanceled: boolean
  submit(manifest: string, module: Blob): void
  /** Cancels the upload; the files stay selected. */
  cancel(): void
  /** Clears the refusal. */
  clear(): void
}

/** Submits a release for review. Leaving the page cancels the upload. */
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
    // Also after a canceled or interrupted upload: the server may have received it.
    onSettled: () => client.invalidateQueries({ queryKey: ['own', 'releases'] }),
  })
  useEffect(() => () => running.current?.cancel(), [])
  const wasCanceled = mutation.error?.name === 'AbortError'
  return {
    progress: mutation.isPending ? progress : null,
    refusal: mutation.error === null || wasCanceled ? null : asApiError(mutation.error),
    wasCanceled,
    submit: (manifest, module) => {
      if (!mutation.isPending) mutation.mutate({ manifest, module })
    },
    cancel: () => running.current?.cancel(),
    clear: () => mutation.reset(),
  }
}
