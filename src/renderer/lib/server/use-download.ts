import { useMutation } from '@tanstack/react-query'
import type { RawReply, Route } from '../../../shared/route.ts'
import type { Sent, Shape } from '../../../shared/route-call.ts'
import { asApiError } from './api-error.ts'
import { open } from './client.ts'
import { saveResponse } from '../app/save-file.ts'
import { showToast } from '../state/toasts.ts'

export type DownloadRoute = Route<undefined, Shape, undefined, RawReply>

/** Downloads the file that a route returns. A plain link cannot, because the browser would not send the session key. */
export function useDownload(route: DownloadRoute, query: Sent['query'] = {}) {
  return useMutation({
    mutationFn: async () => saveResponse(await open(route, { query })),
    onError: (error) =>
      showToast({ kind: 'error', subject: 'Download failed.', text: asApiError(error).message }),
  })
}
