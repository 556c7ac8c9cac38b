import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { untilIdle } from '../support/agents/poll-dashboard.ts'
import { startLoadGenerator } from './load.ts'
import type { LoadGenerator } from './load.ts'
import { startBuiltServer, startPeer } from './processes.ts'
import type { Running } from './processes.ts'
import { seed } from './seed.ts'
import type { Seeded } from './seed.ts'

export interface Size {
  releases: number
  names: number
  rounds: number
  /** Rounds that are not counted, because the code is not compiled yet. */
  warmUps: number
  /** A smaller change is never reported: two processes of the same program differ. */
  tolerance: number
  /** The length of one measurement. */
  seconds: number
  /** Bytes of a large package and of a large image. */
  package: number
  image: number
  agents: { agents: number; audit: number }
}

export const sizes = {
  full: {
    releases: 100_000,
    names: 20_000,
    rounds: 5,
    warmUps: 1,
    tolerance: 0.1,
    seconds: 2,
    package: 16 * 1_048_576,
    image: 90_000_000,
    agents: { agents: 10_000, audit: 1_000_000 },
  },
  short: {
    releases: 1000,
    names: 200,
    rounds: 10,
    warmUps: 10,
    tolerance: 0.25,
    seconds: 0.08,
    package: 5 * 1_048_576,
    image: 9_000_000,
    agents: { agents: 500, audit: 20_000 },
  },
} as const satisfies Record<string, Size>

const limits = {
  SKILLDOCK_DAILY_SUBMISSIONS: '100000',
  SKILLDOCK_PUBLISH_CONCURRENCY: '64',
}

/** What the cases share: a seeded data folder, the server on it, the bare peer, and a load generator. */
export interface Bench {
  size: Size
  folder: string
  /** The seeded releases, oldest first. */
  keys: Seeded['keys']
  load: LoadGenerator['run']
  /** The server, without background work. Started when it is first needed. */
  server(): Promise<Running>
  /** Another server on the same folder, with these options; call `stopServers` first. */
  start(options: readonly string[]): Promise<Running>
  bare(): Promise<Running>
  /** Makes the bare peer send the same bytes as the server for these paths, stream a file, or receive files. */
  prepare(what: { paths: readonly string[] } | { streamed: string } | { sinkFolder: string }): Promise<void>
  /** A new token; publish tokens count towards a limit each. */
  token(role: 'administrator' | 'developer'): Promise<string>
  /** Changes the catalog from another process, which invalidates all caches. The catalog is then the same as before. */
  change(): void
  stopServers(): Promise<void>
  close(): Promise<void>
}

export function openBench(size: Size, { data, profile }: { data?: string; profile?: string }): Bench {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'skilldock-bench-'))
  mkdirSync(folder, { recursive: true })
  const seededFile = join(folder, 'seeded.json')
  const { keys } = existsSync(seededFile)
    ? (JSON.parse(readFileSync(seededFile, 'utf8')) as Seeded)
    : seed(folder, size.releases, size.names)
  const profiling: Record<string, string> =
    profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(profile)}` }
  const generator = startLoadGenerator()
  const database = new Sqlite(dataPaths(folder).database)
  const setStatus = database.prepare('UPDATE releases SET status = ? WHERE id = ?')
  const revokeAndApprove = database.transaction(() => {
    for (const status of ['revoked', 'approved']) setStatus.run(status, keys.length)
  })
  let [server, bare]: (Promise<Running> | null)[] = [null, null]
  let people = 0

  const start = async (options: readonly string[] = []): Promise<Running> => {
    const started = await startBuiltServer(folder, { ...limits, ...profiling }, options)
    await untilIdle(started.pid)
    return started
  }
  const bench: Bench = {
    size,
    folder,
    keys,
    load: generator.run,
    server: () => (server ??= start()),
    start,
    bare: () => (bare ??= startPeer('bare.mjs')),
    async prepare(what) {
      const { url: origin } = await bench.server()
      const body = JSON.stringify({ origin, ...what })
      const response = await fetch(`${(await bench.bare()).url}/prepare`, { method: 'POST', body })
      if (!response.ok) throw new Error('The peer could not be prepared')
    },
    token(role) {
      people += 1
      const subject = `bench-${process.pid}-${people}`
      return withPeople(async (all) => (await all.issueToken({ subject, role })).token, folder)
    },
    change: () => revokeAndApprove.immediate(),
    async stopServers() {
      await Promise.all([server, bare].map(async (running) => (await running)?.stop()))
      ;[server, bare] = [null, null]
    },
    async close() {
      await bench.stopServers()
      await generator.stop()
      database.close()
      if (data === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
  return bench
}
