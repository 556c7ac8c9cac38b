import { hash } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { inBackground } from '../../../src/server/domains/releases/checks/check-backlog.service.ts'
import { start } from '../../support/server/command-line.ts'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, median, show } from '../figures.ts'
import { get } from '../load.ts'
import type { Running } from '../processes.ts'
import { builtCommand, startBuiltServer } from '../processes.ts'
import { packageOf } from '../seed.ts'

/** More than a server checks during the measurement. */
const unchecked = 20_000

const metadataOf = ({ keys }: Bench): string[] =>
  keys.slice(-100).map(({ name, version }) => get(`/api/marketplace/skills/${name}/${version}`))

/** Metadata while the server checks decided releases that were never checked, against a quiet server. */
const rechecking: Case = {
  goals: { 'background/reads while releases are checked': atLeast(0.9, 'of quiet') },
  isSlow: true,
  async measure(bench) {
    const requests = metadataOf(bench)
    const rates = async ({ url }: Running): Promise<number[]> => {
      const values: number[] = []
      for (let round = -bench.size.warmUps; round < bench.size.rounds; round += 1) {
        const load = await bench.load({ url, requests, seconds: bench.size.seconds })
        if (round >= 0) values.push(load.requests / load.seconds)
      }
      return values
    }
    const quiet = median(await rates(await bench.server()))
    await bench.stopServers()
    const database = new Sqlite(dataPaths(bench.folder).database)
    const count = database.prepare('SELECT count(*) FROM release_checks').pluck()
    database.exec(`CREATE TABLE temp.kept AS SELECT * FROM release_checks WHERE release_id <= ${unchecked};
      DELETE FROM release_checks WHERE release_id <= ${unchecked}`)
    const server = await startBuiltServer(bench.folder)
    try {
      await delay(inBackground.startAfterMs + 1000)
      const before = Number(count.get())
      const startedAt = performance.now()
      const busy = await rates(server)
      const perSecond = ((Number(count.get()) - before) * 1000) / (performance.now() - startedAt)
      const note = `${show(perSecond)} releases checked per second`
      return {
        'background/reads while releases are checked': { values: busy.map((rate) => rate / quiet), note },
      }
    } finally {
      await server.stop()
      database.exec('INSERT OR REPLACE INTO release_checks SELECT * FROM temp.kept')
      database.close()
    }
  },
}

/** Metadata while the sitemap of a changed catalog is made over and over, against the same server without that. */
const sitemaps: Case = {
  goals: { 'background/reads while sitemaps are made': atLeast(0.9, 'of quiet') },
  isSlow: true,
  async measure(bench) {
    const { url } = await bench.server()
    const requests = metadataOf(bench)
    const rate = async (): Promise<number> => {
      const load = await bench.load({ url, requests, seconds: bench.size.seconds })
      return load.requests / load.seconds
    }
    const values: number[] = []
    let count = 0
    const makeUntil = async (over: AbortSignal): Promise<void> => {
      for (; !over.aborted; count += 1) {
        bench.change()
        await readSitemap(url)
      }
    }
    for (let round = -bench.size.warmUps; round < bench.size.rounds; round += 1) {
      const quiet = await rate()
      const over = new AbortController()
      const making = makeUntil(over.signal)
      const busy = await rate()
      over.abort()
      await making
      if (round >= 0) values.push(busy / quiet)
    }
    return { 'background/reads while sitemaps are made': { values, note: `${count} sitemaps` } }
  },
}

/** Reads the index and all parts. */
async function readSitemap(url: string): Promise<void> {
  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${url}${path}`)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    return response.text()
  }
  const index = await read('/api/sitemap.xml')
  for (const [, part = ''] of index.matchAll(/<loc>([^<]+\.xml)<\/loc>/g)) await read(new URL(part).pathname)
}

/** Metadata while `skilldock backup` runs, against the same server without that. */
const backups: Case = {
  goals: { 'background/reads while a backup is made': atLeast(0.9, 'of quiet') },
  isSlow: true,
  async measure(bench) {
    const { url } = await bench.server()
    const requests = metadataOf(bench)
    const rate = async (): Promise<number> => {
      const load = await bench.load({ url, requests, seconds: bench.size.seconds })
      return load.requests / load.seconds
    }
    const { packages } = dataPaths(bench.folder)
    for (const index of bench.keys.keys()) {
      const bytes = packageOf(index)
      writeFileSync(join(packages, hash('sha256', bytes)), bytes)
    }
    const quiet: number[] = []
    for (let round = -bench.size.warmUps; round < bench.size.rounds; round += 1) quiet.push(await rate())
    const target = join(bench.folder, 'backup.tar')
    const { child, ended } = start(process.execPath, [builtCommand, 'backup', target], {
      SKILLDOCK_DATA: bench.folder,
    })
    const startedAt = performance.now()
    const busy: number[] = []
    while (child.exitCode === null) busy.push(await rate())
    const seconds = (performance.now() - startedAt) / 1000
    const { status, stderr } = await ended
    if (status !== 0) throw new Error(`The backup failed: ${stderr}`)
    const { size } = statSync(target)
    rmSync(target)
    const note = `${show(size / 2 ** 20)} MiB in about ${show(seconds)} s`
    const usual = median(quiet.slice(bench.size.warmUps))
    return { 'background/reads while a backup is made': { values: busy.map((value) => value / usual), note } }
  },
}

export const backgroundCases: readonly Case[] = [rechecking, sitemaps, backups]
