import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import { until } from '../support/wait.ts'
import { createGate } from './gate.ts'
import { absent, createLedger, writeKinds } from './ledger.ts'
import type { Tally, WriteKind } from './ledger.ts'
import type { Random } from './random.ts'
import { changedSetting, createWorkload, digestOf } from './workload.ts'
import type { Credentials, Workload } from './workload.ts'

export interface WriteFigures {
  rounds: number
  tallies: Readonly<Record<WriteKind, Tally>>
  /** Acknowledged or half-made things that were wrong after a restart, as sentences. */
  violations: string[]
  /** The data folder after the last round, with no server on it. */
  folder: string
}

const start = (folder: string): Promise<Serving> => serve(folder, { SKILLDOCK_DAILY_SUBMISSIONS: '100000' })

/**
 * Kills the server with SIGKILL at a random instant of simultaneous publishes, decisions, uploads, post edits and
 * changes of settings, starts it again on the same folder, and compares everything with what the clients were told.
 * Repeats that until each kind of write was interrupted `times` times, at most three times as often.
 */
export async function interruptWrites(
  random: Random,
  times: number,
  onRound: (round: number) => void = () => {},
): Promise<WriteFigures> {
  const folder = join(temporaryFolder(), 'data')
  const ledger = createLedger()
  const credentials: Credentials = {
    developer: await tokenHere(folder, '--subject', 'dora', '--name', 'Dora'),
    administrator: await tokenHere(folder, '--subject', 'rita', '--role', 'admin'),
    desk: '',
  }
  const acknowledged = (): number =>
    writeKinds.reduce((sum, kind) => sum + ledger.tallies[kind].acknowledged, 0)
  const gate = createGate()
  let isKilled = false
  const workload = createWorkload(random, ledger, credentials, { gate, isKilled: () => isKilled })
  const violations: string[] = []
  let server = await start(folder)
  credentials.desk = (await signIn({ ...server, folder }, 'rita')).authorization

  let round = 0
  while (writeKinds.some((kind) => ledger.tallies[kind].interrupted < times) && round < 3 * times) {
    round += 1
    isKilled = false
    const writing = workload.run(server)
    const before = acknowledged()
    const writes = random.integer(0, 30)
    await until('enough writes were acknowledged', () => acknowledged() - before >= writes)
    // All writers send their next write at this instant, or most of them, if one takes long.
    await Promise.race([gate.close(workload.writers), delay(2000)])
    gate.open()
    await delay(random.integer(0, 4))
    isKilled = true
    server.kill('SIGKILL')
    await Promise.all([server.ended, writing])

    server = await start(folder)
    const touched = [...ledger.touched]
    const found = readState(folder)
    violations.push(...ledger.settle((key) => found.get(key) ?? absent))
    for (const key of touched)
      violations.push(...(await checkServed(server, credentials, workload, key, found)))
    violations.push(...(await checkFolder(folder)))
    onRound(round)
  }
  for (const key of ledger.cells.keys()) {
    violations.push(...(await checkServed(server, credentials, workload, key, readState(folder))))
  }
  await server.stop()
  return { rounds: round, tallies: ledger.tallies, violations, folder }
}

/** What is stored, by the keys of the ledger. */
function readState(folder: string): Map<string, string> {
  const paths = dataPaths(folder)
  const database = new Sqlite(paths.database, { readonly: true })
  try {
    const pairs = (sql: string): [string, string][] => database.prepare<[], [string, string]>(sql).raw().all()
    const posts = database.prepare<[], [number, string]>('SELECT id, content FROM posts').raw().all()
    return new Map([
      ...pairs(`SELECT 'release ' || name, status FROM releases`),
      ...pairs(`SELECT 'image ' || sha256, 'stored' FROM images`),
      ...posts.map(([id, text]): [string, string] => {
        const { title, markdown } = JSON.parse(text) as { title: string; markdown: string }
        return [`post ${id}`, markdown === '' ? absent : digestOf(Buffer.from(title + markdown))]
      }),
      [changedSetting, readSetting(paths.settings)],
    ])
  } finally {
    database.close()
  }
}

function readSetting(file: string): string {
  if (!existsSync(file)) return absent
  const values = JSON.parse(readFileSync(file, 'utf8')) as { [changedSetting]?: number }
  return String(values[changedSetting] ?? absent)
}

/** What clients get: the exact bytes of what is public, and nothing of what is not. */
async function checkServed(
  { registry }: Serving,
  { administrator }: Credentials,
  { modules }: Workload,
  key: string,
  found: ReadonlyMap<string, string>,
): Promise<string[]> {
  const [kind, id = ''] = key.split(' ')
  const value = found.get(key) ?? absent
  const headers = { authorization: `Bearer ${administrator}` }
  const isServed = async (path: string, digest: string | undefined): Promise<boolean> => {
    const response = await fetch(`${registry}${path}`, { headers })
    return digestOf(new Uint8Array(await response.arrayBuffer())) === digest && response.status === 200
  }
  if (kind === 'image') {
    const isRight = (await isServed(`/uploads/${id}.png`, id)) === (value === 'stored')
    return isRight ? [] : [`${key} is ${value}, but not served like that`]
  }
  if (kind !== 'release') return []
  const digest = modules.get(id)
  const isPublic = await isServed(`/api/marketplace/skills/${id}/1.0.0/package`, digest)
  if (isPublic !== (value === 'approved'))
    return [`${key} is ${value}, and its package ${isPublic ? 'is' : 'is not'} public`]
  if (value === 'pending' && !(await isServed(`/api/marketplace/review/${id}/1.0.0/package`, digest)))
    return [`${key} is pending, but its package cannot be reviewed`]
  return []
}

/** No problem, and no file that nothing refers to: orphans are removed at the start. */
async function checkFolder(folder: string): Promise<string[]> {
  const { packages, pictures } = dataPaths(folder)
  const parts = [packages, pictures]
    .flatMap((one) => readdirSync(one))
    // The health check of a running server has a file of its own.
    .filter((name) => name.endsWith('.part') && !name.startsWith('sample-'))
  const { status, stdout, stderr } = await skilldockHere(folder, ['verify'])
  const unused = stdout.split('\n').filter((line) => line.startsWith('unused '))
  return [
    ...parts.map((name) => `${name} was left`),
    ...unused,
    ...(status === 0 ? [] : [`verify: ${stdout}${stderr}`]),
  ]
}
