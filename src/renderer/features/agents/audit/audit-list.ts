import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AuditRow, AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AuditFound } from './audit-search.ts'

/** What the table needs to know of the audit, whichever way its rows are found. */
export interface AuditList {
  /** Another view begins at its `start`. */
  view: string
  start: number
  /** Whether the address has the place in them: not of what is searched for, nor while other rows are asked for. */
  inAddress: boolean
  /** Places that there are; more may follow while a search goes on. */
  total: number
  isWhole: boolean
  /** Those that have been read, by place. */
  rows: ReadonlyMap<number, AuditRow>
  look(first: number, end: number): void
  /** Rows for the filter that have been written since; they come when they are asked for. */
  fresh: number
  /** Whether there may be more of them. */
  isFreshMore: boolean
  showFresh(): void
  stamp: AgentStamp | null
  summary: AuditSummary | null
  /** Whether nothing has been read yet. */
  isPending: boolean
  error: unknown
  refetch(): void
  search: Search | null
}

export interface Search {
  found: AuditFound
  cancel(): void
  goOn(): void
}
