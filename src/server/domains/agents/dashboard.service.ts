import type { AgentsReader, Reading } from '../../agents/agents-reader.ts'
import type { ParamsOf, QueryName, ValueOf } from '../../agents/all-queries.ts'
import { isProblem, unavailable } from './agent-reads.service.ts'

/** The queries of section 4.5, which answer in JSON. */
export type DashboardQuery = {
  [Name in QueryName]: ValueOf<Name> extends Uint8Array ? Name : never
}[QueryName]

type Answer = Exclude<Reading<Uint8Array>, { reason: unknown }>

/** Milliseconds: network file systems may report a change this late. */
const keptForMs = 1000
const mostBytes = 32 * 1024 * 1024

/** Caches answers for clients that repeat a request, such as a page with many charts, or several programs. */
export function createDashboard(reader: Pick<AgentsReader, 'readUnlessKnown'>) {
  const answers = new Map<string, Answer>()
  let bytes = 0

  const drop = (key: string, answer: Answer | undefined): void => {
    if (answer === undefined || answers.get(key) !== answer) return
    answers.delete(key)
    bytes -= answer.value.byteLength
  }

  const keep = (key: string, answer: Answer): void => {
    drop(key, answers.get(key))
    const size = answer.value.byteLength
    if (answer.state !== 'ready' || answer.identity === null || bytes + size > mostBytes) return
    answers.set(key, answer)
    bytes += size
    setTimeout(drop, keptForMs, key, answer).unref()
  }

  return {
    /**
     * An answer of section 4.5 as JSON; empty lists if no project is chosen or it has no database. A cached answer is
     * used while the files are unchanged. Throws AGENTS_UNAVAILABLE if the project cannot be read now, and the signal's
     * reason when aborted.
     */
    async read(
      query: DashboardQuery,
      params: ParamsOf<'listAudit'> | undefined,
      signal: AbortSignal,
    ): Promise<Buffer> {
      const key = JSON.stringify([query, params])
      const kept = answers.get(key)
      const known = kept?.identity ?? null
      const answer = (await reader.readUnlessKnown(query, params, { signal, known })) ?? kept
      if (answer === undefined) throw new Error('Neither a cached nor a new answer')
      if (isProblem(answer)) throw unavailable(answer)
      if (answer !== kept) keep(key, answer)
      const { buffer, byteOffset, byteLength } = answer.value
      return Buffer.from(buffer, byteOffset, byteLength)
    },
  }
}

export type Dashboard = ReturnType<typeof createDashboard>
