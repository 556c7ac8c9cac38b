import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { openConfigured } from '../../db/open.ts'
import { databaseOf } from '../project-files.ts'
import { readProject } from '../read-project.ts'
import { fillProject } from './fill-project.ts'
import { createProjectWriter, createRng } from './project-writer.ts'
import type { ProjectWriter } from './project-writer.ts'

/** Marks a project as created by the demo, so that a real one is never touched. */
const applicationId = 0x53_4b_44_41

const busyMs = 5000

type DemoProjectState = 'none' | 'demo' | 'other'

/** What a folder contains: no project, one created by the demo, or a real one. */
export function findDemoProject(folder: string): DemoProjectState {
  const file = databaseOf(folder)
  const found = readProject(file, (database) => database.get('PRAGMA application_id'))
  if (found.state === 'missing') return 'none'
  return found.state === 'ready' && found.value?.['application_id'] === applicationId ? 'demo' : 'other'
}

/** Creates a project in a folder that has none. */
export function createDemoProject(folder: string, now: Date): void {
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

/** Milliseconds between simulated events. */
const stepMs = 700

/** Keeps the demo's agents working. Returns a function that stops them and closes the database. */
export function runDemoProject(folder: string): () => void {
  const database = openConfigured(databaseOf(folder), { timeoutMs: busyMs })
  const random = createRng(Date.now() >>> 0)
  const writer = createProjectWriter(database, random)
  const timer = setInterval(() => {
    database.transaction(() => simulateStep(database, writer, random)).immediate()
  }, stepMs)
  return () => {
    clearInterval(timer)
    database.close()
  }
}

function simulateStep(database: Sqlite.Database, writer: ProjectWriter, random: () => number): void {
  const now = new Date()
  for (let n = 0; n < 1 + Math.floor(random() * 3); n += 1) writer.call(now)
  const event = random()
  if (event < 0.02)
    writer.restart(now, 'geo-tagger', 'exit 1: no response from the tile cache within 5 s', 1, 5)
  else if (event < 0.04) pause(database, writer, now)
  else if (event < 0.06) writer.audit(now, 'lead-scorer', 'trust.update', 't_score 718 to 719, rating A')
}

/** Pauses the translator, or resumes it. */
function pause(database: Sqlite.Database, writer: ProjectWriter, now: Date): void {
  const row = database
    .prepare<[], { status: string }>("SELECT status FROM agents WHERE name = 'translator'")
    .get()
  const next = row?.status === 'paused' ? 'running' : 'paused'
  writer.setStatus(now, 'translator', next)
  writer.audit(now, 'translator', next === 'paused' ? 'paused' : 'resumed', 'manually')
}
