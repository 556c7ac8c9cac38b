import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { initializeDataFolder, dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { get, startLoadGenerator } from '../bench/load.ts'
import { startBuiltServer } from '../bench/processes.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { builtEntry, start } from '../support/server/command-line.ts'
import { manifest, publish, review } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

// Sends mixed requests to the built server, in a process of its own: to the registry, to an open desk, and to the
// dashboard of an agent project that is being written. Fails if memory, open files, or the files in the data folder and
// temporary folder grow. `node tests/operations/soak.ts [--seconds 3600] [--rate 200]`

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '3600' }, rate: { type: 'string', default: '200' } },
})
const seconds = Number(options.seconds)
const rate = Number(options.rate)

/** The run is divided into this many windows; each gives one sample. */
const windows = 40
/** How much more each figure may be in the last quarter than in the second. */
const limits = {
  'memory (MiB)': (before: number) => before * 0.1 + 8,
  // The smallest value of a window, which is close to that after a garbage collection.
  'heap (MiB)': (before: number) => before * 0.1 + 4,
  'open files': () => 4,
  'files in the data folder': () => 1,
  'files in the temporary folder': () => 0,
} as const
type Figure = keyof typeof limits

const releases = 20
const localShare = 0.1
const deskShare = 0.1
const writesEverySeconds = 1

const base = mkdtempSync(join(tmpdir(), 'skilldock-soak-'))
const folder = join(base, 'data')
const temporary = join(base, 'tmp')
mkdirSync(temporary)

async function main(): Promise<boolean> {
  initializeDataFolder(dataPaths(folder))
  const token = (subject: string, role: 'administrator' | 'developer'): Promise<string> =>
    withPeople(async (people) => (await people.issueToken({ subject, role })).token, folder)
  const [developer, administrator] = [await token('alice', 'developer'), await token('rita', 'administrator')]
  const wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  const project = join(base, 'agents')
  const agents = start(process.execPath, [builtEntry, 'demo', '--agents', project, '--live'])
  await until('the agent project is there', () => agents.output.stdout.includes('Press Ctrl+C'), 60_000)
  const server = await startBuiltServer(folder, {
    TMPDIR: temporary,
    SKILLDOCK_DAILY_SUBMISSIONS: '100000',
    SKILLDOCK_WORKSPACE: project,
  })
  const desk = await signIn({ folder, dashboard: server.localUrl }, 'rita')
  const deskEvents = await desk.open('/events')
  const generator = startLoadGenerator()
  const latencies: number[] = []
  const samples: Record<Figure, number>[] = []
  let [requests, writes] = [0, 0]

  const submit = async (name: string, version: string, action: 'approved' | 'rejected'): Promise<void> => {
    const sent = await publish(server.url, developer, manifest({ name, version }), wasm)
    if (sent.status !== 201) throw new Error(`publish: ${sent.status} ${sent.body.code}`)
    const decided = await review(server.url, administrator, sent.body.id, action, 'Checked during the test.')
    if (decided.status !== 200) throw new Error(`review: ${decided.status}`)
    writes += 2
  }

  const read = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${server.localUrl}/metrics`)).text()
    return new Map(text.split('\n').map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]))
  }

  const oneWindow = async (length: number): Promise<void> => {
    const end = new AbortController()
    const pause = (ms: number): Promise<void> => delay(ms, undefined, { signal: end.signal }).catch(() => {})
    const [memory, heap, files]: [number[], number[], number[]] = [[], [], []]
    const measure = async (): Promise<void> => {
      while (!end.signal.aborted) {
        const values = await read()
        memory.push((values.get('process_resident_memory_bytes') ?? NaN) / 1_048_576)
        heap.push((values.get('nodejs_heap_size_used_bytes') ?? NaN) / 1_048_576)
        files.push(values.get('process_open_fds') ?? NaN)
        await pause(1100)
      }
    }
    const write = async (): Promise<void> => {
      while (!end.signal.aborted) {
        const action = writes % 4 === 0 ? 'approved' : 'rejected'
        await submit(`skill-${(writes / 2) % releases}`, `1.1.${writes}`, action)
        await pause(writesEverySeconds * 1000)
      }
    }
    const load = async (
      url: string,
      paths: readonly string[],
      perSecond: number,
      headers: Record<string, string> = {},
    ): Promise<void> => {
      const connections = 4
      const everyMs = (1000 * connections) / perSecond
      const done = await generator.run({
        url,
        requests: paths.map((path) => get(path, headers)),
        seconds: length,
        connections,
        everyMs,
      })
      requests += done.requests
      for (const ms of done.latencies) latencies.push(ms)
    }
    const others = [measure(), write()]
    await Promise.all([
      load(server.url, registryPaths, rate * (1 - localShare - deskShare)),
      load(server.localUrl, localPaths, rate * localShare),
      load(server.localUrl, deskPaths, rate * deskShare, { Authorization: desk.authorization }),
    ])
    end.abort()
    await Promise.all(others)
    samples.push({
      'memory (MiB)': median(memory),
      'heap (MiB)': Math.min(...heap),
      'open files': median(files),
      // Each release has a record.
      'files in the data folder': countFiles(folder) - countFiles(dataPaths(folder).records),
      'files in the temporary folder': countFiles(temporary),
    })
  }

  try {
    for (let n = 0; n < releases; n += 1) await submit(`skill-${n}`, '1.0.0', 'approved')
    const startedAt = performance.now()
    for (let n = 0; n < windows; n += 1) await oneWindow(seconds / windows)
    const took = (performance.now() - startedAt) / 1000
    latencies.sort((a, b) => a - b)
    const at = (part: number): string => (latencies[Math.floor(part * latencies.length)] ?? NaN).toFixed(1)
    console.log(
      `${requests} reads and ${writes} writes in ${took.toFixed(0)} s: ${((requests + writes) / took).toFixed(0)} a second; ` +
        `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms`,
    )
    return report(samples)
  } finally {
    await deskEvents.body?.cancel()
    await server.stop()
    await generator.stop()
    agents.child.kill('SIGINT')
    await agents.ended
    rmSync(base, { recursive: true, force: true })
  }
}

const registryPaths = [
  ...Array.from({ length: releases }, (_, n) => `/api/marketplace/skills/skill-${n}/1.0.0`),
  ...Array.from({ length: releases }, (_, n) => `/api/marketplace/skills/skill-${n}/1.0.0/package`),
  ...Array.from({ length: releases }, (_, n) => `/api/marketplace/skills?q=skill-${n}`),
  '/',
  '/api/marketplace/skills',
  '/api/marketplace/skills?q=capital',
  '/docs-markdown/site/marketplace.md',
  '/api/health',
  '/openapi.json',
]
const localPaths = ['/api/agents', '/api/cost', '/api/audit', '/api/health', '/metrics']
const deskPaths = [
  '/desk/api/state',
  '/desk/api/services',
  '/desk/api/releases',
  '/desk/api/releases/1',
  '/desk/api/history',
  '/desk/api/people',
  '/desk/api/agents/overview',
  '/desk/api/agents/list',
  '/desk/api/agents/audit',
]

/** Prints the medians of the quarters; false if a figure has grown. */
function report(samples: readonly Record<Figure, number>[]): boolean {
  let isStable = true
  for (const figure of Object.keys(limits) as Figure[]) {
    const quarters = [0, 1, 2, 3].map((n) =>
      median(samples.slice((n * windows) / 4, ((n + 1) * windows) / 4).map((sample) => sample[figure])),
    )
    const [, before = NaN, , after = NaN] = quarters
    const hasGrown = !(after - before <= limits[figure](before))
    if (hasGrown) isStable = false
    console.log(
      `${figure}: ${quarters.map((value) => value.toFixed(1)).join(' → ')}${hasGrown ? '  HAS GROWN' : ''}`,
    )
  }
  return isStable
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

const countFiles = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

process.exitCode = (await main()) ? 0 : 1
