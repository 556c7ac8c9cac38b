import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { untilIdle } from '../../support/agents/poll-dashboard.ts'
import { manyStringsModule, millionFunctionsModule } from '../../support/fixtures/big-modules.ts'
import { noise } from '../../support/fixtures/images.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../../support/server/multipart.ts'
import { manifest, publish } from '../../support/server/publish.ts'
import { blogUpload, uploadPadded } from '../../support/server/uploads.ts'
import { compare, loaded } from '../compare.ts'
import type { Case, Measured } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, atMost, quantile } from '../figures.ts'
import { get, post } from '../load.ts'
import { memoryOf, peakMemoryDuring } from '../processes.ts'
import type { Running } from '../processes.ts'

const smallModule = manyStringsModule(1024, 512)
let published = 0

/** A manifest with a new name. */
const nextManifest = (): ReturnType<typeof manifest> => {
  published += 1
  return manifest({ name: `published-${Date.now()}-${published}` })
}

async function publishNext({ url }: Running, token: string, module: Uint8Array): Promise<void> {
  const { status, body } = await publish(url, token, nextManifest(), module)
  if (status !== 201) throw new Error(`Publishing failed: ${JSON.stringify(body)}`)
}

/** Tokens of different people, because a person can publish only two releases at once. */
const tokens = (bench: Bench, count: number, role: 'administrator' | 'developer'): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => bench.token(role)))

const oneAtATime: Case = {
  goals: { 'publish/small, one at a time': atLeast(0.7) },
  async measure(bench) {
    const [server, bare] = [await bench.server(), await bench.bare()]
    const sinkFolder = join(bench.folder, 'sink')
    mkdirSync(sinkFolder, { recursive: true })
    await bench.prepare({ sinkFolder })
    const [token] = await tokens(bench, 1, 'developer')
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': multipartType }
    const bodyOf = () => multipartBody([manifestPart(nextManifest()), wasmPart(smallModule)])
    const order = () => ({
      requests: Array.from({ length: 1000 * bench.size.seconds }, () =>
        post('/api/marketplace/publish', headers, bodyOf()),
      ),
      isRepeated: false,
      connections: 1,
      status: 201,
    })
    const measured = await compare(bench, loaded(bench, server, order), loaded(bench, bare, order), 'elapsed')
    rmSync(sinkFolder, { recursive: true })
    return { 'publish/small, one at a time': measured }
  },
}

const storm: Case = {
  goals: { 'publish/reads during a storm': atLeast(0.6, 'of quiet') },
  async measure(bench) {
    const server = await bench.server()
    const publishers = await tokens(bench, 2, 'developer')
    const requests = bench.keys
      .slice(-100)
      .map(({ name, version }) => get(`/api/marketplace/skills/${name}/${version}`))
    const read = async (): Promise<number> => {
      const load = await bench.load({ url: server.url, requests, seconds: Math.max(bench.size.seconds, 0.2) })
      return load.requests / load.seconds
    }
    const values: number[] = []
    const before = published
    for (let round = 0; round < bench.size.rounds; round += 1) {
      const quiet = await read()
      const end = new AbortController()
      const publishing = publishers.map(async (token) => {
        while (!end.signal.aborted) await publishNext(server, token, smallModule)
      })
      values.push((await read()) / quiet)
      end.abort()
      await Promise.all(publishing)
    }
    return {
      'publish/reads during a storm': { values, note: `${published - before} publishes, two at a time` },
    }
  },
}

/** Memory of all processes above that of a server that was just started, during `work` and `laterMs` after it. */
async function measureMemory(
  bench: Bench,
  laterMs: number,
  work: (server: Running, round: number) => Promise<unknown>,
): Promise<{ during: Measured; later: Measured }> {
  await bench.stopServers()
  const server = await bench.server()
  const idle = memoryOf(server.pid)
  const [during, later]: [number[], number[]] = [[], []]
  for (let round = 0; round < bench.size.rounds; round += 1) {
    during.push((await peakMemoryDuring(server.pid, () => work(server, round))) - idle)
    await delay(laterMs)
    later.push(memoryOf(server.pid) - idle)
    await untilIdle(server.pid)
  }
  const note = `more than the ${Math.round(idle)} MiB of all processes when idle`
  return { during: { values: during, note }, later: { values: later, note } }
}

const eightAtOnce: Case = {
  goals: {
    'publish/8 × 16 MiB at once, memory': atMost(100, 'MiB'),
    'publish/8 × 16 MiB at once, p99 of others': atMost(25, 'ms'),
  },
  async measure(bench) {
    const publishers = await tokens(bench, 4, 'developer')
    const module = millionFunctionsModule(bench.size.package)
    const { name, version } = bench.keys.at(-1) ?? { name: '', version: '' }
    const requests = [get(`/api/marketplace/skills/${name}/${version}`)]
    const slowdown: number[] = []
    const { during } = await measureMemory(bench, 0, async ({ url, ...server }) => {
      /** Response times of another client, which reads at a steady pace. */
      const read = async (seconds: number): Promise<number[]> =>
        (await bench.load({ url, requests, connections: 1, everyMs: 5, seconds })).latencies
      const quiet = await read(bench.size.seconds)
      const end = new AbortController()
      const publishing = Promise.all(
        [...publishers, ...publishers].map((token) => publishNext({ url, ...server }, token, module)),
      ).finally(() => end.abort())
      const busy: number[] = []
      while (!end.signal.aborted) busy.push(...(await read(0.2)))
      await publishing
      slowdown.push(quantile(busy, 0.99) - quantile(quiet, 0.99))
    })
    return {
      'publish/8 × 16 MiB at once, memory': during,
      'publish/8 × 16 MiB at once, p99 of others': { values: slowdown, note: 'more than without publishing' },
    }
  },
}

const tenImages: Case = {
  goals: {
    'images/10 × 90 MB at once, memory': atMost(80, 'MiB'),
    'images/10 × 90 MB, memory 3 s later': atMost(20, 'MiB'),
  },
  isSlow: true,
  async measure(bench) {
    const administrators = await tokens(bench, 2, 'administrator')
    const photograph = await noise(1600, 1200).jpeg().toBuffer()
    const upload = async (server: Running, fill: number): Promise<void> => {
      const token = administrators[fill % administrators.length] ?? ''
      const padding = { size: bench.size.image, fill }
      const status = await uploadPadded(`${server.url}${blogUpload}`, token, photograph, padding)
      if (status !== 200) throw new Error(`An upload answered ${status}`)
    }
    // A stored image would not be decoded again, so all are different.
    const { during, later } = await measureMemory(bench, 3000, (server, round) =>
      Promise.all(Array.from({ length: 10 }, (_, index) => upload(server, round * 10 + index))),
    )
    return {
      'images/10 × 90 MB at once, memory': during,
      'images/10 × 90 MB, memory 3 s later': later,
    }
  },
}

export const publishCases: readonly Case[] = [oneAtATime, storm, eightAtOnce, tenImages]
