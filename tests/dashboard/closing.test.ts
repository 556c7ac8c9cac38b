import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import type { AgentOwner } from '../support/agents/agent-owner.ts'
import { makeAgentProject, withProject } from '../support/agents/agent-project.ts'
import type { AgentProject } from '../support/agents/agent-project.ts'
import { dashboardPaths, listFolder, startTestDashboard } from '../support/agents/dashboard.ts'
import type { TestDashboard } from '../support/agents/dashboard.ts'

const rounds = 60
/** Four times as often as a program that polls every second, so that the test takes a quarter of the time. */
const pollEveryMs = 250
const writeEveryMs = 25
/** Attempts to open and close: a read that overlaps the close leaves the log behind. */
const maxCloses = 3

let app: TestDashboard
/** Has the same owner but no reader. */
let control: AgentProject
let controlFolder: string
beforeAll(async () => {
  app = await startTestDashboard()
  controlFolder = mkdtempSync(join(tmpdir(), 'skilldock-control-'))
  control = makeAgentProject(controlFolder)
  makeAgentProject(app.project.folder)
})
afterAll(async () => {
  await app.stop()
  rmSync(controlFolder, { recursive: true })
})

const namesIn = (project: AgentProject): string[] => Object.keys(listFolder(project))
const countOf = (project: AgentProject): unknown =>
  withProject(project, (database) => [
    database.prepare('SELECT count(*), max(id) FROM audit_log').raw().get(),
    database.pragma('integrity_check', { simple: true }),
    database.pragma('journal_mode', { simple: true }),
  ])

let written = 0
/** Adds the same row to both. */
const writeBoth = async (owners: readonly AgentOwner[]): Promise<void> => {
  written += 1
  const row = `VALUES ('2026-11-01 10:00:00', ${written}, 'writer', 'agent.step', 'step ${written}', '')`
  const columns = '(timestamp, lamport, agent_name, event_type, detail, content_hash)'
  await Promise.all(owners.map((owner) => owner.run(`INSERT INTO audit_log ${columns} ${row}`)))
}

test('an owner that closes after sixty rounds of requests leaves the same files as without a reader', async () => {
  let owners = await Promise.all([startOwner(app.project), startOwner(control)])
  const progress = { isPolling: true }
  const polling = (async () => {
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      for (const { status } of await Promise.all(dashboardPaths.map((path) => app.get(path)))) {
        expect(status).toBe(200)
      }
      await delay(Math.max(0, pollEveryMs - (performance.now() - startedAt)))
    }
  })().finally(() => {
    progress.isPolling = false
  })
  while (progress.isPolling) {
    await writeBoth(owners)
    await delay(writeEveryMs)
  }
  await polling

  let closes = 0
  for (;;) {
    await Promise.all(owners.map((owner) => owner.close()))
    closes += 1
    expect(namesIn(control)).toEqual([basename(control.file)])
    if (namesIn(app.project).length === 1 || closes === maxCloses) break
    owners = await Promise.all([startOwner(app.project), startOwner(control)])
    await writeBoth(owners)
  }
  console.log(`no trace left after close ${closes} and ${rounds} rounds of requests`)
  expect(namesIn(app.project)).toEqual(namesIn(control))
  expect(readFileSync(app.project.file).equals(readFileSync(control.file))).toBe(true)

  // Requests after the close leave no trace either.
  const closed = listFolder(app.project)
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(dashboardPaths.map((path) => app.get(path)))
  }
  expect(listFolder(app.project)).toEqual(closed)
  expect(countOf(app.project)).toEqual([[written, written], 'ok', 'wal'])
}, 180_000)
