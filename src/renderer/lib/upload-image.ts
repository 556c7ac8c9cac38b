import type { ErrorResponse } from '../../shared/contracts/common.ts'
import { deskImageRoutes } from '../../shared/contracts/desk-images.ts'
import { imageTypes, maxBlogImageBytes } from '../../shared/contracts/images.ts'
import type { Image } from '../../shared/contracts/images.ts'
import { ApiError } from './api-error.ts'
import { addressOf } from './client.ts'

/** What the file dialog offers; the server decides by the bytes. */
export const acceptedImages = imageTypes.join(',')

export interface UploadProgress {
  sent: number
  total: number
}

export interface Upload {
  /** Rejects with an ApiError; with an AbortError once it is cancelled. */
  done: Promise<Image>
  cancel(): void
}

/** Why a file is not worth sending, or null. */
export function refuseFile(file: Pick<File, 'name' | 'size'>): string | null {
  if (file.size === 0) return `${file.name} is empty.`
  if (file.size <= maxBlogImageBytes) return null
  return `${file.name} has ${Math.ceil(file.size / 1_048_576)} MiB; a picture may have 100 MiB.`
}

/** Sends a picture to the library and tells how far it is, which `fetch` does not. */
export function uploadImage(file: File, onProgress: (progress: UploadProgress) => void): Upload {
  const request = new XMLHttpRequest()
  const done = new Promise<Image>((resolve, reject) => {
    request.open('POST', deskImageRoutes.uploadImage.path)
    request.responseType = 'text'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress({ sent: loaded, total }))
    request.addEventListener('load', () => {
      if (request.status === 201 || request.status === 200) {
        resolve(JSON.parse(request.responseText) as Image)
      } else {
        reject(refusalOf(request))
      }
    })
    request.addEventListener('error', () =>
      reject(new ApiError('NETWORK', 'Skilldock did not answer. It may be stopped or restarting.')),
    )
    request.addEventListener('abort', () =>
      reject(new DOMException('The upload is cancelled.', 'AbortError')),
    )
    const form = new FormData()
    form.set('image', file)
    request.send(form)
  })
  return { done, cancel: () => request.abort() }
}

function refusalOf(request: XMLHttpRequest): ApiError {
  const details = { status: request.status, requestId: request.getResponseHeader('x-request-id') }
  try {
    const body = JSON.parse(request.responseText) as ErrorResponse
    return new ApiError(body.code, body.error, { ...details, issues: body.issues ?? [] })
  } catch (error) {
    const sentence = `The answer could not be read (status ${request.status}).`
    return new ApiError('UNREADABLE', sentence, { ...details, cause: error })
  }
}

/** The desk's own copy of a picture, as pages show it. */
export function renditionAddress(sha256: string, step: 'small' | 'medium' | 'large'): string {
  return addressOf(deskImageRoutes.getRendition.path, { sha256, step })
}
