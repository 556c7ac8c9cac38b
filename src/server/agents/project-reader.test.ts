import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeAgentProject } from '../../../tests/support/agents/agent-project.ts'
import type { AgentProject } from '../../../tests/support/agents/agent-project.ts'
import type { AgentsQuery } from './agents-query.ts'
import { createProjectReader } from './project-reader.ts'
import type { FromReader } from './reader-messages.ts'

let folder: string
let project: AgentProject
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-project-reader-'))
  project = makeAgentProject(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A reader with queries that record when they run. A message counts as written when `send` resolves. */
function startReader(send: (message: FromReader) => Promise<void>) {
  const reads: { query: string; at: number }[] = []
  const query = (name: string, isBackground = false): AgentsQuery<unknown, string> => ({
    read() {
      reads.push({ query: name, at: performance.now() })
      return name
    },
    ...(isBackground ? { isBackground } : {}),
  })
  const watch = { file: project.file, refusal: null, note: () => {} }
  const queries = { foreground: query('foreground'), background: query('background', true) }
  const reader = createProjectReader({ queries, watch, send })
  let id = 0
  const ask = (name: keyof typeof queries): Promise<void> => {
    id += 1
    return reader.read({ id, query: name, params: undefined, known: null })
  }
  return { ask, reads }
}

test('no slice begins before all answers are written', async () => {
  const isWritten = Promise.withResolvers<void>()
  let answers = 0
  const { ask, reads } = startReader(() => {
    answers += 1
    return answers === 1 ? isWritten.promise : Promise.resolve()
  })
  const first = ask('foreground')
  await vi.waitFor(() => expect(answers).toBe(1))
  const others = [ask('foreground'), ask('background')]
  // Longer than background work waits for a pause.
  await delay(400)
  expect([reads.length, answers]).toEqual([1, 1])
  isWritten.resolve()
  await Promise.all([first, ...others])
  expect(reads.map(({ query }) => query)).toEqual(['foreground', 'foreground', 'background'])
})

test('background work waits for a pause between questions, but not for long', async () => {
  const { ask, reads } = startReader(() => Promise.resolve())
  const progress = { isDone: false }
  await ask('foreground')
  const askedAt = performance.now()
  const background = ask('background').then(() => (progress.isDone = true))
  while (!progress.isDone) {
    await ask('foreground')
    await delay(5)
  }
  await background
  const at = reads.findIndex(({ query }) => query === 'background')
  const readAt = reads[at]?.at ?? 0
  const pause = readAt - (reads[at - 1]?.at ?? 0)
  // On a busy machine the queries themselves leave a pause. Timers may fire a millisecond early.
  expect(
    pause > 48 || readAt - askedAt > 198,
    `after ${readAt - askedAt} ms and a pause of ${pause} ms`,
  ).toBe(true)
  // This many queries, 5 ms apart, take more than twice as long as background work waits.
  expect(at).toBeLessThan(100)
})
