import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { RequestBody } from './http.ts'

/** A release to submit. */
export interface Submission {
  name: string
  version: string
  manifestText: string
  module: Buffer
  /** SHA-256 of the module. */
  sha256: string
}

/** The request body and how much of it has been sent. */
export interface SubmissionBody {
  body: RequestBody
  /** Bytes written to the connection so far. They may not have arrived yet. */
  bytesSent(): number
}

const chunkBytes = 65_536

/** The parts `manifest` (text) and `wasm` (file) as multipart/form-data (RFC 7578), with their exact length. */
export function submissionBody(
  { name, manifestText, module }: Submission,
  onProgress: (done: number, total: number) => void,
): SubmissionBody {
  // Has enough random bits that it cannot occur in a module.
  const boundary = `skill-${randomBytes(24).toString('hex')}`
  const before = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="manifest"\r\n\r\n${manifestText}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="wasm"; filename="${name}.wasm"\r\n` +
      'Content-Type: application/wasm\r\n\r\n',
  )
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = before.length + module.length + after.length
  let bytesSent = 0
  const counted = (chunk: Buffer): Buffer => {
    bytesSent += chunk.length
    onProgress(bytesSent, length)
    return chunk
  }
  function* chunks(): Generator<Buffer> {
    yield counted(before)
    for (let start = 0; start < module.length; start += chunkBytes) {
      yield counted(module.subarray(start, start + chunkBytes))
    }
    yield counted(after)
  }
  return {
    body: {
      type: `multipart/form-data; boundary=${boundary}`,
      length,
      expectContinue: true,
      open: () => Readable.from(chunks(), { objectMode: false, highWaterMark: chunkBytes }),
    },
    bytesSent: () => bytesSent,
  }
}
