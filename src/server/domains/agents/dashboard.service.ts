import type { AgentsReader, Reading } from '../../agents/agents-reader.ts'
import type { ParamsOf, QueryName, ValueOf } from '../../agents/all-queries.ts'
import { isProblem, unavailable } from './agent-reads.service.ts'

/** The queries of section 4.5, which answer in JSON text. */
export type DashboardQuery = {
  [Name in QueryName]: ValueOf<Name> extends Uint8Array ? Name : never
}[QueryName]

type Answer = Exclude<Reading<Uint8Array>, { reason: unknown }>

/** Milliseconds: a network's file system may tell of a change as late as that. */
const keptForMs = 1000
const mostBytes = 32 * 1024 * 1024

/** Keeps answers for a client that asks for the same thing again, as a page of many charts and several programs do. */
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
     * An answer of section 4.5 as JSON text; empty lists where no project is chosen or it has no database. It is the one that
     * is kept while the files are what they were when that was read. Throws AGENTS_UNAVAILABLE where nobody can read the
     * project now, and the signal's reason once that is aborted.
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
