import type { AgentFacts } from '../../../shared/agent-facts.ts'
import type { AgentAlert, AlertKind, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'

/** A current problem: the content of its alert, and the key that identifies it over time. */
export interface CurrentProblem extends Omit<AgentAlert, 'id' | 'since' | 'firstSeenAt'> {
  key: string
  /** Null if the agents' database does not say. */
  since: string | null
}

/** The key of the one alert that covers many mismatches. */
export const combinedKey = 'many'

const problem = (
  kind: AlertKind,
  key: string,
  agent: string | null,
  since: string | null,
  about: Partial<Pick<AgentAlert, 'mismatch' | 'crash' | 'revoked' | 'budget'>>,
): CurrentProblem => ({
  mismatch: null,
  crash: null,
  revoked: null,
  budget: null,
  kind,
  key,
  agent,
  since,
  ...about,
})

export function currentProblems(
  facts: AgentFacts,
  revoked: ReadonlyMap<string, ModuleRelease>,
): CurrentProblem[] {
  return [
    ...mismatchProblems(facts.mismatches),
    ...facts.crashes.map(({ agent, since, ...crash }) => problem('crashed', agent, agent, since, { crash })),
    ...facts.modules.flatMap(({ agent, digest }) => {
      const release = revoked.get(digest)
      if (release === undefined) return []
      const about = { revoked: { release, digest } }
      return [problem('revoked', `${digest} ${agent}`, agent, release.decidedAt, about)]
    }),
    // Once per period of the budget.
    ...facts.budgets.map(({ agent, startsAt, ...budget }) =>
      problem('budget', `${startsAt ?? ''} ${agent}`, agent, null, { budget }),
    ),
  ]
}

function mismatchProblems({ total, newest }: AgentFacts['mismatches']): CurrentProblem[] {
  const isCombined = total > newest.length
  return newest.slice(0, isCombined ? 1 : undefined).map(({ agent, ...row }) =>
    problem('mismatch', isCombined ? combinedKey : String(row.id), agent, row.at, {
      mismatch: { ...row, rows: isCombined ? total : 1 },
    }),
  )
}

const ranks: Record<AlertKind, number> = { mismatch: 0, crashed: 1, revoked: 2, budget: 3 }

/** Most serious first, then newest first. A budget over its limit is more serious than one over its alert threshold. */
export function compareAlerts(one: AgentAlert, other: AgentAlert): number {
  return rankOf(one) - rankOf(other) || other.since.localeCompare(one.since) || other.id - one.id
}

function rankOf({ kind, budget }: AgentAlert): number {
  return budget !== null && budget.spentCents < budget.budgetCents ? ranks.budget + 1 : ranks[kind]
}
