import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { samplePrefix } from '../../src/server/storage/write-sample.ts'
import { cleanUp, commandToken, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { noise } from '../support/fixtures/images.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'
import { blogUpload, uploadPadded } from '../support/server/uploads.ts'

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
  photograph = await noise(1000, 750).jpeg().toBuffer()
}, 120_000)
afterAll(async () => {
  await server.stop()
  await cleanUp()
})

const resident = (): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024

const skip = process.platform === 'linux' ? '' : ` (${ALLOWED_SKIPS.otherSystem})`

test.skipIf(skip !== '')(
  `the server stays within 60 MB of idle while ten uploads of 30 MiB run at once${skip}`,
  async () => {
    const idle = resident()
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, resident())
    }, 20)
    const statuses = await Promise.all(
      Array.from({ length: 10 }, (_, seed) =>
        // One person can upload six at once.
        uploadPadded(`${server.registry}${blogUpload}`, tokens[seed % 2] ?? '', photograph, {
          size: 30 * 1024 * 1024,
          fill: seed + 1,
        }),
      ),
    )
    clearInterval(timer)
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
    // Ten images, and the three renditions that they share.
    const images = readdirSync(join(data, 'pictures')).filter((name) => !name.startsWith(samplePrefix))
    expect(images).toHaveLength(13)
    expect(peak - idle).toBeLessThan(60 * 1_000_000)
  },
  180_000,
)
