import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { openConfigured } from '../../db/open.ts'
import { databaseOf } from '../project-files.ts'
import { readProject } from '../read-project.ts'
import { fillProject } from './fill-project.ts'
import { createChance, createProjectWriter } from './project-writer.ts'
import type { ProjectWriter } from './project-writer.ts'

/** Tells a project of the demo from one in which somebody works. */
const applicationId = 0x53_4b_44_41

const busyMs = 5000

export type DemoProjectState = 'none' | 'demo' | 'other'

/** What is in a folder: no project, one that the demo has made, or somebody's own. */
export function findDemoProject(folder: string): DemoProjectState {
  const file = databaseOf(folder)
  const found = readProject(file, (database) => database.get('PRAGMA application_id'))
  if (found.kind === 'missing') return 'none'
  return found.kind === 'value' && found.value?.['application_id'] === applicationId ? 'demo' : 'other'
}

/** Writes a project into a folder that has none. */
export function makeDemoProject(folder: string, now: Date): void {
  const file = databaseOf(folder)
  mkdirSync(dirname(file), { recursive: true })
  try {
    const database = openConfigured(file, { timeoutMs: busyMs, create: true })
    try {
      database.pragma('journal_mode = WAL')
      database.pragma(`application_id = ${applicationId}`)
      database.transaction(() => fillProject(database, now)).immediate()
    } finally {
      database.close()
    }
  } catch (error) {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    throw error
  }
}

/** Milliseconds between two things that happen. */
const beatMs = 700

/** Lets the demo's agents go on with their work; the function that it gives stops them and closes the database. */
export function keepDemoAlive(folder: string): () => void {
  const database = openConfigured(databaseOf(folder), { timeoutMs: busyMs })
  const chance = createChance(Date.now() >>> 0)
  const writer = createProjectWriter(database, chance)
  const timer = setInterval(() => {
    database.transaction(() => happen(database, writer, chance)).immediate()
  }, beatMs)
  return () => {
    clearInterval(timer)
    database.close()
  }
}

function happen(database: Sqlite.Database, writer: ProjectWriter, chance: () => number): void {
  const now = new Date()
  for (let n = 0; n < 1 + Math.floor(chance() * 3); n += 1) writer.call(now)
  const event = chance()
  if (event < 0.02) writer.restart(now, 'geo-tagger', 'exit 1: no answer from tile cache within 5 s', 1, 5)
  else if (event < 0.04) pause(database, writer, now)
  else if (event < 0.06) writer.audit(now, 'lead-scorer', 'trust.update', 't_score 718 to 719, rating A')
}

/** Somebody pauses an agent, or lets it go on. */
function pause(database: Sqlite.Database, writer: ProjectWriter, now: Date): void {
  const row = database
    .prepare<[], { status: string }>("SELECT status FROM agents WHERE name = 'translator'")
    .get()
  const next = row?.status === 'paused' ? 'running' : 'paused'
  writer.setStatus(now, 'translator', next)
  writer.audit(now, 'translator', next === 'paused' ? 'paused' : 'resumed', 'manually')
}
