import type { ErrorResponse } from '../../../shared/contracts/common.ts'
import { ApiError } from '../server/api-error.ts'
import { sessionHeaders } from '../server/session-key.ts'

export interface UploadProgress {
  sent: number
  total: number
}

export interface Upload<T> {
  /** Rejects with an ApiError, or with an AbortError if canceled. */
  done: Promise<T>
  cancel(): void
}

/** Uploads a form and reports progress, which `fetch` cannot. */
export function uploadForm<T>(
  path: string,
  form: FormData,
  onProgress: (progress: UploadProgress) => void,
): Upload<T> {
  const request = new XMLHttpRequest()
  const done = new Promise<T>((resolve, reject) => {
    request.open('POST', path)
    for (const [name, value] of Object.entries(sessionHeaders())) request.setRequestHeader(name, value)
    request.responseType = 'text'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress({ sent: loaded, total }))
    request.addEventListener('load', () => {
      try {
        if (request.status === 201 || request.status === 200) resolve(JSON.parse(request.responseText) as T)
        else reject(refusalOf(request))
      } catch (error) {
        // A proxy or a network's sign-in page answered.
        reject(unreadable(request, error))
      }
    })
    request.addEventListener('error', () =>
      reject(new ApiError('NETWORK', "Can't reach Skilldock. It may be stopped or restarting.")),
    )
    request.addEventListener('abort', () => reject(new DOMException('Upload canceled.', 'AbortError')))
    request.send(form)
  })
  return { done, cancel: () => request.abort() }
}

function refusalOf(request: XMLHttpRequest): ApiError {
  const body = JSON.parse(request.responseText) as ErrorResponse
  return new ApiError(body.code, body.error, { ...detailsOf(request), issues: body.issues ?? [] })
}

function unreadable(request: XMLHttpRequest, cause: unknown): ApiError {
  const sentence = `Unexpected response from the server (status ${request.status}).`
  return new ApiError('UNREADABLE', sentence, { ...detailsOf(request), cause })
}

function detailsOf(request: XMLHttpRequest) {
  const wait = Number(request.getResponseHeader('retry-after') ?? Number.NaN)
  return {
    status: request.status,
    requestId: request.getResponseHeader('x-request-id'),
    retryAfter: Number.isFinite(wait) ? wait : null,
  }
}
