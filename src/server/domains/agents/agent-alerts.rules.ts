import type { AgentAlert, AlertKind, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'

/** Something that is wrong now: what is told of it, and the key by which it is the same the next time. */
export interface Trouble extends Omit<AgentAlert, 'id' | 'since' | 'firstSeenAt'> {
  key: string
  /** As far as the database of the agents tells. */
  since: string | null
}

/** The key of the one mismatch that stands for many. */
export const manyKey = 'many'

/** What the database of the agents says; as the worker gives it. */
export interface Facts {
  mismatches: {
    total: number
    newest: (Omit<NonNullable<AgentAlert['mismatch']>, 'rows'> & { agent: string | null })[]
  }
  crashes: (NonNullable<AgentAlert['crash']> & { agent: string; since: string | null })[]
  budgets: (NonNullable<AgentAlert['budget']> & { agent: string; startsAt: string | null })[]
  modules: { agent: string; digest: string }[]
}

const trouble = (
  kind: AlertKind,
  key: string,
  agent: string | null,
  since: string | null,
  about: Partial<Pick<AgentAlert, 'mismatch' | 'crash' | 'revoked' | 'budget'>>,
): Trouble => ({
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

export function troublesOf(facts: Facts, revoked: ReadonlyMap<string, ModuleRelease>): Trouble[] {
  return [
    ...mismatchTroubles(facts.mismatches),
    ...facts.crashes.map(({ agent, since, ...crash }) => trouble('crashed', agent, agent, since, { crash })),
    ...facts.modules.flatMap(({ agent, digest }) => {
      const release = revoked.get(digest)
      if (release === undefined) return []
      const about = { revoked: { release, digest } }
      return [trouble('revoked', `${digest} ${agent}`, agent, release.decidedAt, about)]
    }),
    // Once for each period of the budget.
    ...facts.budgets.map(({ agent, startsAt, ...budget }) =>
      trouble('budget', `${startsAt ?? ''} ${agent}`, agent, null, { budget }),
    ),
  ]
}

function mismatchTroubles({ total, newest }: Facts['mismatches']): Trouble[] {
  const isMany = total > newest.length
  return newest.slice(0, isMany ? 1 : undefined).map(({ agent, ...row }) =>
    trouble('mismatch', isMany ? manyKey : String(row.id), agent, row.at, {
      mismatch: { ...row, rows: isMany ? total : 1 },
    }),
  )
}

const ranks: Record<AlertKind, number> = { mismatch: 0, crashed: 1, revoked: 2, budget: 3 }

/** Worst first; of the same kind the newest. A budget that is over is worse than one past its mark. */
export function compareAlerts(one: AgentAlert, other: AgentAlert): number {
  return rankOf(one) - rankOf(other) || other.since.localeCompare(one.since) || other.id - one.id
}

function rankOf({ kind, budget }: AgentAlert): number {
  return budget !== null && budget.spentCents < budget.budgetCents ? ranks.budget + 1 : ranks[kind]
}
