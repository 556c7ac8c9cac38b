// Measures a replicated registry on several machines, which are network namespaces of this computer, so they share its
// cores. Prints a table for docs/SCALING.md. Needs root, ip, versitygw and litestream (see tests/support/programs.ts):
// node tests/bench/machines.ts [RELEASES]
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { markStorage } from '../../src/server/data-folder/storage-marker.ts'
import { requireProgram } from '../support/programs.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import {
  builtEntry,
  cleanUp,
  commandToken,
  serve,
  skilldock,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving, Variables } from '../support/server/command-line.ts'
import { createNetwork } from '../support/server/machines.ts'
import type { Machine } from '../support/server/machines.ts'
import { bucketName, startObjectStore } from '../support/server/object-store.ts'
import { manifest, publish, review } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'
import { median, quantile } from './figures.ts'
import { get, startLoadGenerator } from './load.ts'
import { cpuSecondsOf, memoryOf } from './processes.ts'
import { seed, shuffled } from './seed.ts'

const releases = Number(process.argv[2] ?? 100_000)
const decisions = 100
const revocations = 5
const seconds = 5
const rounds = 3

const network = createNetwork()
const generator = startLoadGenerator()
const rows: [what: string, figure: string][] = []
const show = (what: string, figure: string): void => {
  rows.push([what, figure])
  console.log(`| ${what} | ${figure} |`)
}
const ms = (values: number[]): string =>
  `${median(values).toFixed(1)} ms, 99 % within ${quantile(values, 0.99).toFixed(1)} ms`
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** What a request costs Caddy, which passes it to one of the readers. */
async function measureProxy(
  machine: Machine | undefined,
  readers: readonly Serving[],
  requests: readonly string[],
): Promise<void> {
  if (machine === undefined) throw new Error('no machine for Caddy')
  const folder = temporaryFolder()
  const file = join(folder, 'Caddyfile')
  const url = `http://${machine.address}:8080`
  const upstreams = readers.map(({ registry }) => new URL(registry).host).join(' ')
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n:8080 {\n\treverse_proxy ${upstreams}\n}\n`)
  const { child } = machine.start(
    requireProgram('caddy') ?? '',
    ['run', '--config', file, '--adapter', 'caddyfile'],
    {
      HOME: folder,
    },
  )
  await until('Caddy answers', async () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  const before = cpuSecondsOf(child.pid ?? 0)
  const load = await generator.run({ url, requests, seconds, connections: 8 })
  const used = cpuSecondsOf(child.pid ?? 0) - before
  show('CPU of Caddy per request', `${((used / load.requests) * 1e6).toFixed(0)} µs`)
}

async function main(): Promise<void> {
  const machines = Array.from({ length: 6 }, network.addMachine)
  const [storeMachine, writerMachine, ...readers] = machines
  if (storeMachine === undefined || writerMachine === undefined) throw new Error('no machines')
  const { variables: ofStore, folder: bucket } = await startObjectStore({
    address: `${storeMachine.address}:9000`,
    launch: storeMachine.start,
  })
  const module = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  const common: Variables = {
    ...ofStore,
    SKILLDOCK_STORAGE: `s3://${bucketName}/machines`,
    SKILLDOCK_LITESTREAM: requireProgram('litestream') ?? '',
    SKILLDOCK_TRUST_PROXY: network.range,
    SKILLDOCK_PUBLIC_URL: 'https://skills.example.com',
    SKILLDOCK_DAILY_SUBMISSIONS: '100000',
    SKILLDOCK_PORT: '4280',
  }
  const startOn = (
    { address, entry }: (typeof machines)[number],
    folder: string,
    variables: Variables,
    options: string[] = [],
  ): Promise<Serving> =>
    serve(
      folder,
      { ...common, ...variables, SKILLDOCK_HOST: address },
      [...entry, process.execPath, builtEntry],
      options,
    )
  const folder = temporaryFolder()
  const { keys } = seed(folder, releases, releases / 4)
  markStorage(dataPaths(folder), common['SKILLDOCK_STORAGE'] ?? '')
  const admin = await commandToken(folder, '--subject', 'ilse', '--role', 'admin')
  const token = await commandToken(folder, '--subject', 'marta')
  const local = temporaryFolder()
  const ofLocal = await Promise.all([
    commandToken(local, '--subject', 'marta'),
    commandToken(local, '--subject', 'ilse', '--role', 'admin'),
  ])
  const replicated = { SKILLDOCK_DURABILITY: 'replicated' }
  const megabytes = statSync(join(folder, 'skilldock.db')).size / 2 ** 20
  show('Releases, and the size of the database', `${releases}, ${megabytes.toFixed(0)} MiB`)

  const measureWrites = async (
    name: string,
    { registry }: Serving,
    [publisher, administrator]: string[],
  ): Promise<void> => {
    const times: Record<'publish' | 'approve' | 'revoke', number[]> = { publish: [], approve: [], revoke: [] }
    for (let index = 0; index < decisions; index += 1) {
      const start = performance.now()
      const { status, body } = await publish(
        registry,
        publisher ?? '',
        manifest({ name: `measured-${index}` }),
        module,
      )
      if (status !== 201) throw new Error(JSON.stringify(body))
      times.publish.push(performance.now() - start)
      times.approve.push(await timed(() => review(registry, administrator ?? '', body.id, 'approved')))
      if (index < revocations)
        times.revoke.push(await timed(() => review(registry, administrator ?? '', body.id, 'revoked')))
    }
    for (const [what, values] of Object.entries(times)) show(`${what}, ${name}`, ms(values))
  }
  const localServer = await startOn(writerMachine, local, {
    SKILLDOCK_STORAGE: '',
    SKILLDOCK_DASHBOARD_PORT: '4282',
  })
  await measureWrites('local', localServer, ofLocal)
  await localServer.stop()
  rmSync(local, { recursive: true })

  const writer = await startOn(writerMachine, folder, replicated)
  const fence = (): { txid: number } =>
    JSON.parse(readFileSync(join(bucket, 'machines/writer.json'), 'utf8')) as { txid: number }
  await until('the database is in the bucket', () => fence().txid > 0)
  await measureWrites('replicated', writer, [token, admin])
  show('Memory of the machine that writes, with Litestream', `${memoryOf(writer.pid).toFixed(0)} MiB`)

  const following: Serving[] = []
  const requests = shuffled(keys, 1)
    .slice(0, 2000)
    .map(({ name, version }) => get(`/api/marketplace/skills/${name}/${version}`))
  for (const machine of readers.slice(0, 3)) {
    const data = temporaryFolder()
    const start = performance.now()
    following.push(await startOn(machine, data, {}, ['--follow', writer.registry]))
    if (following.length === 1)
      show('A reader is ready after', `${((performance.now() - start) / 1000).toFixed(1)} s`)
    const rates: number[] = []
    const costs: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const before = following.map(({ pid }) => cpuSecondsOf(pid))
      const loads = await Promise.all(
        following.map(({ registry }) => generator.run({ url: registry, requests, seconds, connections: 4 })),
      )
      const count = loads.reduce((sum, load) => sum + load.requests, 0)
      const used = following.reduce(
        (sum, { pid }, index) => sum + cpuSecondsOf(pid) - (before[index] ?? 0),
        0,
      )
      // The first round fills caches.
      if (round === 0) continue
      rates.push(count / seconds)
      costs.push((used / count) * 1e6)
    }
    show(
      `Reads a second with ${following.length} reader${following.length === 1 ? '' : 's'} on these cores, and CPU per request`,
      `${median(rates).toFixed(0)}, ${median(costs).toFixed(0)} µs`,
    )
  }
  await measureProxy(machines.at(-1), following, requests)
  show('Memory of a reader', `${memoryOf(following[0]?.pid ?? 0).toFixed(0)} MiB`)
  const idle = following.map(({ pid }) => cpuSecondsOf(pid))
  await until(
    'ten seconds are over',
    (
      (end) => () =>
        performance.now() > end
    )(performance.now() + 10_000),
  )
  const [first] = following
  show(
    'CPU of an idle reader',
    `${(((cpuSecondsOf(first?.pid ?? 0) - (idle[0] ?? 0)) / 10) * 100).toFixed(1)} % of a core`,
  )

  const restored = temporaryFolder()
  const restoring = await timed(async () => {
    const { status, stderr } = await skilldock(
      restored,
      ['restore', common['SKILLDOCK_STORAGE'] ?? ''],
      common,
    )
    if (status !== 0) throw new Error(stderr)
  })
  show(
    'restore s3://…',
    `${(restoring / 1000).toFixed(1)} s, ${((restoring / 1000 / megabytes) * 1024).toFixed(0)} s per GiB`,
  )
  writerMachine.kill()
  const standby = temporaryFolder()
  const recovering = await timed(async () => {
    const { status, stderr } = await skilldock(standby, ['promote'], common)
    if (status !== 0) throw new Error(stderr)
    await startOn(writerMachine, standby, replicated)
  })
  show('Machine lost, until "promote" and "serve" are done', `${(recovering / 1000).toFixed(1)} s`)
}

try {
  await main()
} finally {
  await generator.stop()
  network.remove()
  await cleanUp()
}
