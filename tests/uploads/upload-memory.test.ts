import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxBlogImageBytes } from '../../src/shared/contracts/images.ts'
import { cleanUp, commandToken, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { multipartBody, multipartType } from '../support/server/multipart.ts'
import { noise } from '../support/fixtures/images.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'
import { blogUpload } from '../support/server/uploads.ts'

let data: string
let server: Serving
let tokens: string[]
let photograph: Buffer

beforeAll(async () => {
  data = join(temporaryFolder(), 'data')
  tokens = [
    await commandToken(data, '--subject', 'rita', '--role', 'admin'),
    await commandToken(data, '--subject', 'ruth', '--role', 'admin'),
  ]
  server = await serve(data)
  photograph = await noise(1600, 1200).jpeg().toBuffer()
}, 120_000)
afterAll(async () => {
  await server.stop()
  await cleanUp()
})

/** Uploads a photograph padded to the maximum size and returns the status. One person can upload six at once. */
async function sendLargest(seed: number): Promise<number> {
  const [head = '', tail = ''] = multipartBody([{ name: 'image', data: 'PICTURE', fileName: 'p.jpg' }])
    .toString()
    .split('PICTURE')
  const call = request(`${server.registry}${blogUpload}`, {
    method: 'POST',
    headers: {
      'Content-Type': multipartType,
      'Content-Length': head.length + maxBlogImageBytes + tail.length,
      Authorization: `Bearer ${tokens[seed % 2]}`,
    },
  })
  const answered = once(call, 'response')
  call.write(head)
  call.write(photograph)
  const piece = Buffer.alloc(65_536, seed)
  for (let left = maxBlogImageBytes - photograph.length; left > 0; left -= piece.length) {
    // oxlint-disable-next-line no-await-in-loop
    if (!call.write(piece.subarray(0, left))) await once(call, 'drain')
  }
  call.end(tail)
  const [response] = (await answered) as [{ statusCode: number; resume(): void }]
  response.resume()
  return response.statusCode
}

const resident = (): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024

const skip = process.platform === 'linux' ? '' : ` (${ALLOWED_SKIPS.otherSystem})`

test.skipIf(skip !== '')(
  `the server stays within 60 MB of idle while ten uploads of 100 MB run at once${skip}`,
  async () => {
    const idle = resident()
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, resident())
    }, 20)
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, seed) => sendLargest(seed + 1)))
    clearInterval(timer)
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
    // Ten images, and the three renditions that they share.
    expect(readdirSync(join(data, 'pictures'))).toHaveLength(13)
    expect(peak - idle).toBeLessThan(60 * 1_000_000)
  },
  180_000,
)
