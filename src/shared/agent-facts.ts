import type { AgentAlert } from './contracts/desk-agents-common.ts'
import type { AgentProject } from './contracts/desk-agents-project.ts'

type Crash = NonNullable<AgentAlert['crash']>
type Budget = NonNullable<AgentAlert['budget']>
type Mismatch = NonNullable<AgentAlert['mismatch']>

/** Current problems in the project, and what else the desk shows on every page. */
export interface AgentFacts {
  /** Whether all rows have been checked: only then is an unlisted mismatch known to be resolved. */
  isWhole: boolean
  mismatches: { total: number; newest: (Omit<Mismatch, 'rows'> & { agent: string | null })[] }
  crashes: (Crash & { agent: string; since: string | null })[]
  budgets: (Budget & { agent: string; startsAt: string | null })[]
  /** Agents with the digests of their modules. */
  modules: { agent: string; digest: string }[]
  counts: Omit<AgentProject['counts'], 'alerts'>
  journal: AgentProject['journal']
}
