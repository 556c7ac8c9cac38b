import { DomainError } from '../../../shared/errors.ts'
import type { AgentsReader, Reading } from '../../agents/agents-reader.ts'
import { explainProblem } from '../../agents/explain-problem.ts'
import { createKeptAnswers } from '../../agents/kept-answers.ts'

type ListQuery =
  | 'listAgents'
  | 'listSupervisors'
  | 'listBudgets'
  | 'listTrust'
  | 'getBroker'
  | 'listDeployments'

/** What may be asked of the audit log. */
export interface AuditSearch {
  before?: number | undefined
  q?: string | undefined
}

/** Seconds that a client is asked to wait while another program holds the file. */
const retryAfterSeconds = 2

/**
 * The answers of section 4.5 as JSON text; empty lists where no project is chosen or it has no database. Each throws
 * AGENTS_UNAVAILABLE where nobody can read the project now, and the signal's reason once that is aborted.
 */
export function createDashboard(reader: Pick<AgentsReader, 'read' | 'readUnlessKnown'>) {
  const kept = createKeptAnswers()
  return {
    list: (query: ListQuery, signal: AbortSignal): Promise<Buffer> =>
      toJson(kept.get(query, (known) => reader.readUnlessKnown(query, undefined, { signal, known }))),

    listAudit(search: AuditSearch, signal: AbortSignal): Promise<Buffer> {
      if (search.q !== undefined && search.q !== '')
        return toJson(reader.read('listAudit', search, { signal }))
      return toJson(
        kept.get(`listAudit ${search.before ?? ''}`, (known) =>
          reader.readUnlessKnown('listAudit', search, { signal, known }),
        ),
      )
    },
  }
}

export type Dashboard = ReturnType<typeof createDashboard>

async function toJson(asked: Promise<Reading<Uint8Array>>): Promise<Buffer> {
  const reading = await asked
  if (reading.state === 'busy' || reading.state === 'unreadable') {
    throw new DomainError(
      'AGENTS_UNAVAILABLE',
      explainProblem(reading.reason),
      reading.state === 'busy' ? { retryAfter: retryAfterSeconds } : {},
    )
  }
  const { buffer, byteOffset, byteLength } = reading.value
  return Buffer.from(buffer, byteOffset, byteLength)
}
