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

/**
 * The answers of section 4.5 as JSON text; empty lists where no project is chosen or it has no database. Each throws
 * AGENTS_UNAVAILABLE where nobody can read the project now, and the signal's reason once that is aborted.
 */
export interface Dashboard {
  listAgents(signal: AbortSignal): Promise<Buffer>
  listSupervisors(signal: AbortSignal): Promise<Buffer>
  listBudgets(signal: AbortSignal): Promise<Buffer>
  listAudit(search: AuditSearch, signal: AbortSignal): Promise<Buffer>
  listTrust(signal: AbortSignal): Promise<Buffer>
  getBroker(signal: AbortSignal): Promise<Buffer>
  listDeployments(signal: AbortSignal): Promise<Buffer>
}

/** Seconds that a client is asked to wait while another program holds the file. */
const retryAfterSeconds = 2

export function createDashboard(reader: Pick<AgentsReader, 'read' | 'readUnlessKnown'>): Dashboard {
  const kept = createKeptAnswers()
  const list = (query: ListQuery, signal: AbortSignal): Promise<Buffer> =>
    toJson(kept.get(query, (known) => reader.readUnlessKnown(query, undefined, { signal, known })))

  return {
    listAgents: (signal) => list('listAgents', signal),
    listSupervisors: (signal) => list('listSupervisors', signal),
    listBudgets: (signal) => list('listBudgets', signal),
    listTrust: (signal) => list('listTrust', signal),
    getBroker: (signal) => list('getBroker', signal),
    listDeployments: (signal) => list('listDeployments', signal),

    listAudit(search, signal) {
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
