import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { receiveMultipart } from '../../../src/server/http/multipart.ts'
import { submissionBody } from '../../../src/shared/contracts/releases.ts'
import { DomainError } from '../../../src/shared/errors.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../../support/server/multipart.ts'
import { manifest } from '../../support/server/publish.ts'
import { ascii, assert } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

/** The real reader behind a real server, which receives the body in pieces. */
export async function multipartTarget(): Promise<Target> {
  const drain = async (stream: AsyncIterable<Uint8Array>): Promise<number> => {
    let length = 0
    for await (const chunk of stream) length += chunk.length
    return length
  }
  const server = createServer((req, res) => {
    const sink = { receive: drain, discard: () => Promise.resolve() }
    void receiveMultipart(req, res, submissionBody, sink, 5000).then(
      () => res.end('accepted'),
      (error: unknown) => {
        res.shouldKeepAlive = false
        res.end(error instanceof DomainError ? 'refused' : String(error))
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const body = multipartBody([manifestPart(manifest()), wasmPart(ascii('\0asm\x01\0\0\0'))])
  const boundary = multipartType.slice(multipartType.indexOf('=') + 1)
  return {
    batchSize: 25,
    seeds: [new Uint8Array(body)],
    words: [
      '\r\n',
      `--${boundary}`,
      `\r\n--${boundary}--\r\n`,
      'Content-Disposition: form-data; name="',
      '; filename="',
      "; filename*=utf-8''",
      '"',
      '\r\n\r\n',
      'Content-Type: ',
      'manifest',
      'wasm',
    ],
    async read(bytes) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': multipartType },
        body: bytes,
      })
      const text = await answer.text()
      assert(text === 'accepted' || text === 'refused', text)
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
