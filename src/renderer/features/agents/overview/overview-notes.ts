import type { HandlerType } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentOverview } from '../../../../shared/contracts/desk-agents.ts'
import { formatLatency, formatShare, typeLabels } from '../broker/broker-figures.ts'
import { formatCents, unpricedNote } from '../cost/money.ts'
import { texts } from '../agents.texts.ts'

/** The lines below today's spend. */
export function spentNote({ today, yesterday, expected }: NonNullable<AgentOverview['spent']>): string[] {
  const missing = unpricedNote(today)
  return [
    expected === null ? texts.overview.noForecast : texts.forecast(formatCents(expected.cents)),
    texts.overview.yesterday(formatCents(yesterday.cents)),
    ...(missing === null ? [] : [texts.overview.today(missing)]),
  ]
}

/** The median latency, and each handler type's share of the routes. */
export function brokerNote({
  together,
  skill,
  wasm,
  llm,
  other,
}: NonNullable<AgentOverview['broker']>): string[] {
  if (together.routes === 0) return [texts.overview.broker.noRoutes]
  const shares = Object.entries({ skill, wasm, llm, other })
    .filter(([type, part]) => type !== 'other' || part > 0)
    .map(([type, part]) => `${formatShare(part, together.routes)} ${typeLabels[type as HandlerType]}`)
  return [texts.overview.broker.p50(formatLatency(together.p50), together.routes), shares.join(', ')]
}
