import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import type { DeskPost } from '../../src/shared/contracts/desk-posts.ts'
import { deskClient } from '../support/desk/desk-client.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { section } from '../support/fixtures/wasm-bytes.ts'
import type { Serving } from '../support/server/command-line.ts'
import { manifest, publish, review } from '../support/server/publish.ts'
import { blogUpload, upload } from '../support/server/uploads.ts'
import type { Gate } from './gate.ts'
import type { Ledger, WriteKind } from './ledger.ts'
import type { Random } from './random.ts'

/** The people of the registry that is killed. */
export interface Credentials {
  developer: string
  administrator: string
  /** Of the administrator's desk session. */
  desk: string
}

/** The setting that is changed again and again. */
export const changedSetting = 'showcaseUploadsPerHour'

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Everything that clients have sent, so that it can be compared byte for byte. */
export interface Workload {
  readonly modules: ReadonlyMap<string, string>
  /** How many clients write at the same time. */
  readonly writers: number
  /** Writes of every kind at the same time, until the server stops answering. */
  run(server: Serving): Promise<void>
}

const emptyModule = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')

export function createWorkload(
  random: Random,
  ledger: Ledger,
  credentials: Credentials,
  { gate, isKilled }: { gate: Gate; isKilled: () => boolean },
): Workload {
  /** SHA-256 by release name. */
  const modules = new Map<string, string>()
  const ids = new Map<string, number>()
  let count = 0

  const write = (
    kind: WriteKind,
    key: string,
    value: string,
    send: () => Promise<boolean>,
  ): Promise<boolean> =>
    ledger.write(kind, key, value, async () => {
      await gate.pass()
      return send()
    })

  /** A module that no other has the bytes of. */
  const newModule = (): Uint8Array<ArrayBuffer> => {
    const content = random.bytes(random.integer(16, 40_000))
    return Uint8Array.from([...emptyModule, ...section(0, [1, 120, ...content])])
  }

  const publishOne = async ({ registry }: Serving): Promise<void> => {
    count += 1
    const name = `skill-${count}`
    const module = newModule()
    modules.set(name, digestOf(module))
    await write('publish', `release ${name}`, 'pending', async () => {
      const { status, body } = await publish(registry, credentials.developer, manifest({ name }), module)
      if (status === 201) ids.set(name, body.id)
      return status === 201
    })
  }

  const decideOne = async (server: Serving): Promise<void> => {
    const open = [...ids].filter(([name]) => {
      const cell = ledger.cells.get(`release ${name}`)
      return cell?.attempted === null && nextActions(cell.value).length > 0
    })
    const [name, id] = open[random.integer(0, open.length - 1)] ?? ['', 0]
    const [first, ...others] = nextActions(ledger.cells.get(`release ${name}`)?.value)
    // One for each of the two reviewers is kept for the instant of the kill.
    if (first === undefined || (open.length <= 2 && !gate.isClosed())) {
      await delay(5)
      return
    }
    const action = random.pick([first, ...others])
    await write('decision', `release ${name}`, action, async () => {
      const { status } = await review(server.registry, credentials.administrator, id, action)
      return status === 200
    })
  }

  const uploadOne = async ({ registry }: Serving): Promise<void> => {
    const raw = { width: 8, height: 8, channels: 3 as const }
    const image = await sharp(random.bytes(192), { raw }).png().toBuffer()
    await write('upload', `image ${digestOf(image)}`, 'stored', async () => {
      const { status } = await upload(`${registry}${blogUpload}`, image, { token: credentials.administrator })
      return status === 200
    })
  }

  /** Saves a post, and from time to time begins another. */
  let post: { id: number; revision: number } | null = null
  const editPost = async (server: Serving): Promise<void> => {
    const desk = deskClient(server, credentials.desk)
    if (post === null || random.integer(1, 20) === 1) {
      const created = await desk.send<DeskPost>('POST', '/posts')
      if (created.status !== 201) return
      post = created.body
    }
    const { id } = post
    const latest = await desk.get<DeskPost>(`/posts/${id}`)
    count += 1
    const content = {
      ...latest.body.content,
      title: `Post ${count}`,
      markdown: 'Text. '.repeat(random.integer(1, 2000)),
    }
    await write('post', `post ${id}`, digestOf(Buffer.from(content.title + content.markdown)), async () => {
      const { status } = await desk.send('PUT', `/posts/${id}`, { revision: latest.body.revision, content })
      return status === 200
    })
  }

  const changeSetting = async (server: Serving): Promise<void> => {
    const value = random.integer(1, 1_000_000)
    await write('setting', changedSetting, String(value), async () => {
      const changes = { [changedSetting]: value }
      const { status } = await deskClient(server, credentials.desk).send('PUT', '/settings', { changes })
      return status === 200
    })
  }

  /** One client, which writes until the server is gone. */
  const repeat = async (act: (server: Serving) => Promise<void>, server: Serving): Promise<void> => {
    while (!isKilled()) {
      try {
        await act(server)
      } catch (error) {
        if (!isKilled()) throw error
      }
    }
  }

  const writers = [publishOne, publishOne, decideOne, decideOne, uploadOne, editPost, changeSetting]
  return {
    modules,
    writers: writers.length,
    run: async (server) => {
      await Promise.all(writers.map((act) => repeat(act, server)))
    },
  }
}

function nextActions(status: string | undefined): ('approved' | 'rejected' | 'revoked')[] {
  if (status === 'pending') return ['approved', 'approved', 'rejected']
  return status === 'approved' ? ['revoked'] : []
}
