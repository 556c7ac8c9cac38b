import { agentProblem } from '../../../shared/agent-facts.ts'
import type { AgentFacts, AgentProblem } from '../../../shared/agent-facts.ts'
import type { AgentAlert, AlertKind, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'

export const currentProblems = (
  { problems, modules }: AgentFacts,
  revoked: ReadonlyMap<string, ModuleRelease>,
): AgentProblem[] => [
  ...problems,
  ...modules.flatMap(({ agent, digest }) => {
    const release = revoked.get(digest)
    if (release === undefined) return []
    const about = { revoked: { release, digest } }
    return [agentProblem('revoked', `${digest} ${agent}`, agent, release.decidedAt, about)]
  }),
]

const ranks: Record<AlertKind, number> = { mismatch: 0, crashed: 1, revoked: 2, budget: 3 }

/** Most serious first, then newest first. A budget over its limit is more serious than one over its alert threshold. */
export function compareAlerts(one: AgentAlert, other: AgentAlert): number {
  return rankOf(one) - rankOf(other) || other.since.localeCompare(one.since) || other.id - one.id
}

function rankOf({ kind, budget }: AgentAlert): number {
  return budget !== null && budget.spentCents < budget.budgetCents ? ranks.budget + 1 : ranks[kind]
}
