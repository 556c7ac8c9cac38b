import type { AgentFacts, AgentProblem } from '../../../shared/agent-facts.ts'
import { alertKinds } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentAlert, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'

export const currentProblems = (
  { problems, modules }: AgentFacts,
  revoked: ReadonlyMap<string, ModuleRelease>,
): AgentProblem[] => [
  ...problems,
  ...modules.flatMap(({ agent, digest }) => {
    const release = revoked.get(digest)
    if (release === undefined) return []
    const key = `${digest} ${agent}`
    return { kind: 'revoked', key, agent, since: release.decidedAt, revoked: { release, digest } } as const
  }),
]

/** Most serious first, then newest first. A budget over its limit is more serious than one over its alert threshold. */
export function compareAlerts(one: AgentAlert, other: AgentAlert): number {
  return rankOf(one) - rankOf(other) || other.since.localeCompare(one.since) || other.id - one.id
}

const rankOf = ({ kind, budget }: AgentAlert): number =>
  alertKinds.indexOf(kind) + (budget !== null && budget.spentCents < budget.budgetCents ? 1 : 0)
