import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { allQueries } from '../../../src/server/agents/all-queries.ts'
import { closeMirror, setMirrorPath } from '../../../src/server/agents/mirror/mirror.ts'
import { createProjectReader } from '../../../src/server/agents/project-reader.ts'
import type { FromReader } from '../../../src/server/agents/reader-messages.ts'
import { dashboardRoutes } from '../../../src/shared/contracts/dashboard.ts'
import { deskAgentRoutes } from '../../../src/shared/contracts/desk-agents.ts'
import { addManyRows, makeAgentProject, withProject } from '../../support/agents/agent-project.ts'
import { assert } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

const routes: Record<string, { query?: { parse(value: unknown): unknown } | undefined }> = {
  ...deskAgentRoutes,
  ...dashboardRoutes,
}
const { isBackground: _, ...immediateSync } = allQueries.backgroundSync
/** All queries; that in the background does not wait for a pause. */
const queries = { ...allQueries, backgroundSync: immediateSync }

const names = Object.keys(queries)
const paramsOf = (name: string): unknown => {
  if (name === 'backgroundSync') return { known: '', soon: true }
  if (name === 'listDeskSupervisors') return { digests: [] }
  const route = name === 'exportAgentCost' ? 'exportAgentCostCsv' : name
  return routes[route]?.query?.parse({ name: 'agent-1', id: '1' })
}

/** Another program's database, read by the queries of the dashboard and the desk. */
export async function projectTarget(folder: string): Promise<Target> {
  const project = makeAgentProject(join(folder, 'project'), {
    journal: 'delete',
    fill: (database) => addManyRows(database, { agents: 10, audit: 20 }),
  })
  // Small pages, because long inputs are cut.
  withProject(project, (database) => database.exec('PRAGMA page_size = 512; VACUUM'))
  const { file } = project
  setMirrorPath(join(folder, 'mirror.db'))
  const watch = { file, refusal: null, note: () => {} }
  let answered: FromReader[] = []
  const send = (message: FromReader): Promise<void> => {
    answered.push(message)
    return Promise.resolve()
  }
  const reader = createProjectReader({ queries, watch, send })
  const readWith = async (chosen: readonly string[], bytes: Uint8Array): Promise<FromReader[]> => {
    writeFileSync(file, bytes)
    answered = []
    // One after the other, like the slices in the reading process.
    for (const [id, query] of chosen.entries()) {
      await reader.read({ id, query, params: paramsOf(query), known: null })
    }
    return answered.filter((message) => 'type' in message && message.type !== 'away')
  }

  const seed = new Uint8Array(readFileSync(file))
  const isReady = (message: FromReader): boolean =>
    'type' in message &&
    message.type === 'reading' &&
    message.reading !== null &&
    message.reading.state === 'ready'
  assert((await readWith(names, seed)).every(isReady), 'the unchanged project was not read')
  return {
    batchSize: 10,
    seeds: [seed],
    words: ['SQLite format 3\0', '\x0d', '\x05', '\xff\xff\xff\xff', '\0\0\0\x01', 'CREATE TABLE ', 'agents'],
    async read(bytes) {
      // One answer, because its time is limited.
      const [message] = await readWith(names.slice(crc32(bytes) % names.length).slice(0, 1), bytes)
      assert(
        message !== undefined && 'type' in message && message.type === 'reading',
        JSON.stringify(message),
      )
    },
    close: closeMirror,
  }
}
