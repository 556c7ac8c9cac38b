import type { AlertContent } from './agent-alert-text.ts'
import type { AgentAlert } from './contracts/desk-agents-common.ts'
import type { AgentProject } from './contracts/desk-agents-project.ts'

/** A current problem: the content of its alert, and the key that identifies it over time. */
export interface AgentProblem extends Pick<AgentAlert, 'kind'>, AlertContent {
  key: string
  /** Null if the agents' database does not say. */
  since: string | null
}

/** The key of the one alert that covers many mismatches. */
export const combinedKey = 'many'

/** Current problems in the project, and what else the desk shows on every page. */
export interface AgentFacts {
  /** Whether all rows have been checked: only then is an unlisted mismatch known to be resolved. */
  isWhole: boolean
  /** All but revoked modules, which only the registry knows. */
  problems: AgentProblem[]
  /** Agents with the digests of their modules. */
  modules: { agent: string; digest: string }[]
  counts: Omit<AgentProject['counts'], 'alerts'>
  journal: AgentProject['journal']
}
