// Compares the built server with a bare node:http server that sends the same bytes, alternating in one run.
// Run with `npm run bench`; `--smoke` is a short run for the tests, and `--data DIR` keeps the seeded folder.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readModule } from '../../src/shared/wasm/read-module.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { millionFunctionsModule } from '../support/fixtures/big-modules.ts'
import { manifest, publish, review } from '../support/server/publish.ts'
import { latencies, median, requestsPerSecond, shuffled } from './load.ts'
import { memoryOf, startBareServer, startBuiltServer } from './processes.ts'
import type { Running } from './processes.ts'
import { seed } from './seed.ts'
import type { Seeded } from './seed.ts'

const { values } = parseArgs({ options: { smoke: { type: 'boolean' }, data: { type: 'string' } } })
const smoke = values.smoke === true
const size = smoke
  ? { releases: 1000, names: 200, rounds: 1, seconds: 1 }
  : { releases: 100_000, names: 20_000, rounds: 5, seconds: 3 }

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'skilldock-bench-'))
mkdirSync(folder, { recursive: true })
const seededFile = join(folder, 'seeded.json')
const { keys } = existsSync(seededFile)
  ? (JSON.parse(readFileSync(seededFile, 'utf8')) as Seeded)
  : seed(folder, size.releases, size.names)

const rows: [what: string, figure: string, target: string][] = []
const row = (what: string, figure: string, target: string): void => {
  rows.push([what, figure, target])
  process.stdout.write(`${what.padEnd(52)} ${figure.padEnd(44)} ${target}\n`)
}

/** Reports the ratio of our requests per second to those of the bare server (medians of all rounds). */
async function compare(
  ours: Running,
  what: string,
  target: string,
  pathsOf: (round: number) => string[],
): Promise<number> {
  const answers: [string, string][] = []
  for (const path of new Set(Array.from({ length: size.rounds }, (_, round) => pathsOf(round)).flat())) {
    answers.push([path, await (await fetch(`${ours.url}${path}`)).text()])
  }
  const file = join(folder, 'answers.json')
  writeFileSync(file, JSON.stringify(answers))
  const bare = await startBareServer(file)
  const figures: { ours: number; bare: number }[] = []
  for (let round = 0; round < size.rounds; round += 1) {
    const paths = pathsOf(round)
    figures.push({
      bare: await requestsPerSecond(bare.url, paths, size.seconds, folder),
      ours: await requestsPerSecond(ours.url, paths, size.seconds, folder),
    })
  }
  await bare.stop()
  const mine = median(figures.map((figure) => figure.ours))
  const bareMedian = median(figures.map((figure) => figure.bare))
  row(
    what,
    `${(mine / bareMedian).toFixed(2)} of bare (${Math.round(mine)} of ${Math.round(bareMedian)}/s)`,
    target,
  )
  return mine
}

const releasePath = ({ name, version }: { name: string; version: string }): string =>
  `/api/marketplace/skills/${name}/${version}`
const pagePath = (offset: number): string => `/api/marketplace/skills?offset=${offset}`
const searchPath = (q: string): string => `/api/marketplace/skills?q=${encodeURIComponent(q)}`

async function measureReads(server: Running): Promise<void> {
  await compare(server, 'one release, 100 URLs', '≥ 0.40', () => keys.slice(-100).map(releasePath))
  // As many paths as requests in a run, each requested once, so that no cache helps.
  await compare(server, 'one release, random URLs', '≥ 0.25', (round) =>
    shuffled(keys, round + 1)
      .slice(0, smoke ? 200 : 60_000)
      .map(releasePath),
  )
  const first = await compare(server, 'first pages of the catalog', '≥ 0.30', () =>
    [0, 50, 100, 150].map(pagePath),
  )
  await compare(server, 'catalog pages just after a change', '≥ 0.12', (round) =>
    shuffled(
      Array.from({ length: Math.min(2000, keys.length) }, (_, index) => index),
      round + 1,
    )
      .slice(0, 2000)
      .map((offset) => pagePath(offset + round)),
  )
  const last = await compare(server, 'last page of the catalog', 'within 20 % of the first', () => [
    pagePath(keys.length - 50),
  ])
  row('last page against first pages', (last / first).toFixed(2), '≥ 0.80')
}

const terms: Record<string, string[]> = {
  'one letter': [...'abcdefghijklmnopqrstuvwxyz0123456789-%_'],
  'two letters': ['ab', 'in', 'zq', 'is', 'er', 'le', 'x-', '1-', 'q1', '%_'],
  'a word of many releases': ['invoice', 'ledger', 'matrix', 'number', 'standard', 'Validators', 'network'],
  'a whole name': Array.from({ length: 200 }, (_, index) => keys[(index * 37) % keys.length]?.name ?? ''),
  'a term without hits': ['zebra', 'qqq', "o'clock", '100%', 'snake_case', 'ünï'],
  'common parts, no hit': [
    'invoice ledger',
    'ledger invoice',
    'json-csv-parse',
    'neat pure wide',
    'number one network',
  ],
}

async function measureSearch(server: Running): Promise<void> {
  for (const [kind, list] of Object.entries(terms)) {
    const fresh = await latencies(
      server.url,
      list.map((term, index) => `${searchPath(term)}&offset=${index % 3}`),
    )
    const paths = list.flatMap((term) =>
      [0, 1, 2, 3, 4].map((offset) => `${searchPath(term)}&offset=${offset}`),
    )
    const figure = await requestsPerSecond(server.url, paths, size.seconds, folder)
    row(
      `search: ${kind}`,
      `${Math.round(figure)}/s, longest first answer ${Math.max(...fresh).toFixed(1)} ms`,
      '≥ 2000/s, ≤ 15 ms',
    )
  }
}

async function measurePackages(server: Running): Promise<void> {
  // A client may only have two concurrent submissions.
  const [administrator = '', ...developers] = await withPeople(
    (people) =>
      Promise.all(
        ['admin', 'ann', 'ben', 'cleo', 'dan'].map(
          async (subject) =>
            (await people.issueToken({ subject, role: subject === 'admin' ? 'administrator' : 'developer' }))
              .token,
        ),
      ),
    folder,
  )
  const largest = 16 * 1024 * 1024
  const idle = memoryOf(server.pid)
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(server.pid))
  }, 25)
  const start = performance.now()
  const stamp = Date.now()
  const module = millionFunctionsModule(largest)
  if (!readModule(module).ok) throw new Error('The benchmark module is not readable')
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      publish(server.url, developers[index % 4] ?? '', manifest({ name: `bench-${stamp}-${index}` }), module),
    ),
  )
  const seconds = (performance.now() - start) / 1000
  clearInterval(sampler)
  const bad = replies.find((reply) => reply.status !== 201)
  if (bad !== undefined) throw new Error(`A submission was refused: ${JSON.stringify(bad.body)}`)
  row(
    'eight publishes of 16 MiB at once, memory',
    `+${((peak - idle) / 1_048_576).toFixed(0)} MiB in ${seconds.toFixed(1)} s`,
    '≤ +150 MiB',
  )

  const published = replies[0]
  if (published === undefined) throw new Error('Nothing was published')
  await review(server.url, administrator, published.body.id, 'approved')
  const path = `/api/marketplace/skills/bench-${stamp}-0/1.0.0/package`
  const digest = createHash('sha256').update(module).digest('hex')
  const bare = await startBareServer('', join(folder, 'packages', digest))
  const figures: { ours: number; bare: number }[] = []
  for (let round = 0; round < size.rounds; round += 1) {
    figures.push({
      bare: await requestsPerSecond(bare.url, ['/file'], size.seconds, folder),
      ours: await requestsPerSecond(server.url, [path], size.seconds, folder),
    })
  }
  await bare.stop()
  const mine = median(figures.map((figure) => figure.ours))
  const bareMedian = median(figures.map((figure) => figure.bare))
  row(
    'download of 16 MiB',
    `${(mine / bareMedian).toFixed(2)} of bare (${Math.round(mine * 16)} MiB/s)`,
    '≥ 0.90',
  )
}

async function measureStart(): Promise<void> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < size.rounds; round += 1) {
    for (const [list, start] of [
      [bare, () => startBareServer()],
      [ours, () => startBuiltServer(folder)],
    ] as const) {
      const running = await start()
      list.push(running.startMs)
      await running.stop()
    }
  }
  row(
    'first answer',
    `${(median(ours) / median(bare)).toFixed(1)} × bare (${median(ours).toFixed(0)} of ${median(bare).toFixed(0)} ms)`,
    '≤ 4 ×',
  )
}

await measureStart()
const server = await startBuiltServer(folder, { SKILLDOCK_DAILY_SUBMISSIONS: '1000' })
try {
  await measureReads(server)
  await measureSearch(server)
  await measurePackages(server)
} finally {
  await server.stop()
  if (values.data === undefined) rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${rows.length} figures\n`)
