import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { samplePrefix } from '../../../src/server/storage/write-sample.ts'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { multipartBody, multipartType } from './multipart.ts'

export interface UploadAnswer {
  status: number
  headers: Headers
  body: {
    url?: string
    key?: string
    code?: string
    error?: string
    issues?: { path: string; message: string }[]
  }
}

export const blogUpload = '/api/blog/upload-image'
export const showcaseUpload = '/api/showcase/upload-image'

export interface UploadOptions {
  token?: string
  fileName?: string
  type?: string
  headers?: Record<string, string>
}

/** Uploads one part `image` with any name and type. */
export async function upload(
  address: string,
  bytes: Uint8Array,
  options: UploadOptions = {},
): Promise<UploadAnswer> {
  const { token, fileName = 'image.png', type = 'image/png' } = options
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'Content-Type': multipartType,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    body: multipartBody([{ name: 'image', data: bytes, fileName, type }]),
  })
  const body = (await response.json()) as UploadAnswer['body']
  return { status: response.status, headers: response.headers, body }
}

/** Uploads a photograph padded to `size` bytes, without holding them in memory, and returns the status. */
export async function uploadPadded(
  address: string,
  token: string,
  photograph: Uint8Array,
  { size, fill }: { size: number; fill: number },
): Promise<number> {
  const [head = '', tail = ''] = multipartBody([{ name: 'image', data: 'PICTURE', fileName: 'p.jpg' }])
    .toString()
    .split('PICTURE')
  const call = request(address, {
    method: 'POST',
    headers: {
      'Content-Type': multipartType,
      'Content-Length': head.length + size + tail.length,
      Authorization: `Bearer ${token}`,
    },
  })
  const answered = once(call, 'response')
  call.write(head)
  call.write(photograph)
  const piece = Buffer.alloc(65_536, fill)
  for (let left = size - photograph.length; left > 0; left -= piece.length) {
    if (!call.write(piece.subarray(0, left))) await once(call, 'drain')
  }
  call.end(tail)
  const [response] = (await answered) as [{ statusCode: number; resume(): void }]
  response.resume()
  return response.statusCode
}

/** The names of all files in the image folder. */
export async function imageFiles(folder: string): Promise<string[]> {
  const names = await readdir(dataPaths(folder).pictures)
  // The health check occasionally writes a file there.
  return names.filter((name) => !name.startsWith(samplePrefix))
}
