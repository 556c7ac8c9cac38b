import { LRUCache } from 'lru-cache'
import type { dashboardRoutes } from '../../../shared/contracts/dashboard.ts'
import type { AgentsReader } from '../../agents/agents-reader.ts'
import type { ParamsOf } from '../../agents/all-queries.ts'
import { isProblem } from '../../agents/reader-messages.ts'
import type { Answer } from '../../agents/reader-messages.ts'
import { unavailable } from './agent-views.service.ts'

/** The queries of section 4.5, which answer in JSON. */
export type DashboardQuery = keyof typeof dashboardRoutes

/** Milliseconds: network file systems may report a change this late. */
const cacheMs = 1000
const maxBytes = 32 * 1024 * 1024

/** Caches answers for clients that repeat a request, such as a page with many charts, or several programs. */
export function createDashboard(reader: Pick<AgentsReader, 'readUnlessKnown'>) {
  const answers = new LRUCache<string, Answer<Uint8Array>>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }) => value.byteLength,
    ttl: cacheMs,
    ttlAutopurge: true,
  })

  return {
    /**
     * An answer of section 4.5 as JSON; empty lists if no project is chosen or it has no database. A cached answer is
     * used while the files are unchanged. Throws AGENTS_UNAVAILABLE if the project cannot be read now, and the signal's
     * reason when aborted.
     */
    async read(
      query: DashboardQuery,
      params: ParamsOf<'listDashboardAudit'> | undefined,
      signal: AbortSignal,
    ): Promise<Buffer> {
      const key = JSON.stringify([query, params])
      const cached = answers.get(key)
      const known = cached?.identity ?? null
      const answer = (await reader.readUnlessKnown(query, params, { signal, known })) ?? cached
      if (answer === undefined) throw new Error('Neither a cached nor a new answer')
      if (isProblem(answer)) throw unavailable(answer)
      if (answer !== cached && answer.state === 'ready' && answer.identity !== null) answers.set(key, answer)
      const { buffer, byteOffset, byteLength } = answer.value
      return Buffer.from(buffer, byteOffset, byteLength)
    },
  }
}

export type Dashboard = ReturnType<typeof createDashboard>
