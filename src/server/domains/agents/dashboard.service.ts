import type { AgentsReader, Reading } from '../../agents/agents-reader.ts'
import type { ParamsOf, QueryName, ValueOf } from '../../agents/all-queries.ts'
import { isProblem, unavailable } from './agent-reads.service.ts'

/** The queries of section 4.5, which answer in JSON text. */
export type DashboardQuery = {
  [Name in QueryName]: ValueOf<Name> extends Uint8Array ? Name : never
}[QueryName]

type Bytes = Reading<Uint8Array>

interface Kept {
  identity: string
  reading: Bytes
  bytes: number
}

/** Milliseconds: a network's file system may tell of a change as late as that. */
const keptForMs = 1000
const mostBytes = 32 * 1024 * 1024

/** Keeps answers for a client that asks for the same thing again, as a page of many charts and several programs do. */
export function createDashboard(reader: Pick<AgentsReader, 'readUnlessKnown'>) {
  const answers = new Map<string, Kept>()
  let bytes = 0

  const drop = (key: string, kept: Kept): void => {
    if (answers.get(key) !== kept) return
    answers.delete(key)
    bytes -= kept.bytes
  }

  const keep = (key: string, reading: Bytes): void => {
    if (reading.state !== 'ready' || reading.identity === null) return
    const kept = { identity: reading.identity, reading, bytes: reading.value.byteLength }
    const former = answers.get(key)
    if (former !== undefined) drop(key, former)
    if (bytes + kept.bytes > mostBytes) return
    answers.set(key, kept)
    bytes += kept.bytes
    setTimeout(drop, keptForMs, key, kept).unref()
  }

  /** The answer that is kept, while the files are what they were when it was read; else a new one. */
  const readOrKept = async (
    query: DashboardQuery,
    params: ParamsOf<'listAudit'> | undefined,
    signal: AbortSignal,
  ): Promise<Bytes> => {
    const key = JSON.stringify([query, params])
    const kept = answers.get(key)
    const known = kept?.identity ?? null
    const reading = await reader.readUnlessKnown(query, params, { signal, known })
    if (reading !== null) keep(key, reading)
    const answer = reading ?? kept?.reading
    if (answer === undefined) throw new Error('Nothing was known, and nothing was read')
    return answer
  }

  return {
    /**
     * An answer of section 4.5 as JSON text; empty lists where no project is chosen or it has no database. Throws
     * AGENTS_UNAVAILABLE where nobody can read the project now, and the signal's reason once that is aborted.
     */
    async read(...asked: Parameters<typeof readOrKept>): Promise<Buffer> {
      const reading = await readOrKept(...asked)
      if (isProblem(reading)) throw unavailable(reading)
      const { buffer, byteOffset, byteLength } = reading.value
      return Buffer.from(buffer, byteOffset, byteLength)
    },
  }
}

export type Dashboard = ReturnType<typeof createDashboard>
