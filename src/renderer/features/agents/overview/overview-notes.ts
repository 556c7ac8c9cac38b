import type { AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { HandlerType } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentOverview } from '../../../../shared/contracts/desk-agents.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { formatLatency, formatShare, typeLabels } from '../broker/broker-figures.ts'
import { formatCents, unpricedNote } from '../cost/money.ts'

/** What is under the sum of today. */
export function spentNote({ today, yesterday, expected }: NonNullable<AgentOverview['spent']>): string[] {
  const missing = unpricedNote(today)
  return [
    expected === null
      ? 'too little is known to say how it ends'
      : `about ${formatCents(expected.cents)} by midnight UTC`,
    `yesterday ${formatCents(yesterday.cents)}`,
    ...(missing === null ? [] : [`today ${missing}`]),
  ]
}

/** `1 does not match, 6 missing`; null where all is well. */
export function auditProblems({ mismatches, missing }: AuditSummary): string | null {
  const parts = [
    ...(mismatches === 0 ? [] : [`${formatCount(mismatches)} ${mismatches === 1 ? 'does' : 'do'} not match`]),
    ...(missing === 0 ? [] : [`${formatCount(missing)} missing`]),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

export function auditChecked({ total, checked }: AuditSummary): string {
  if (total === null) return `${formatCount(checked)} checked so far`
  if (checked >= total) return `${formatCount(total)} in all, every hash checked`
  return `${formatCount(total)} in all, ${formatCount(checked)} hashes checked`
}

/** How fast, and who has done how much of it. */
export function brokerNote({
  together,
  skill,
  wasm,
  llm,
  other,
}: NonNullable<AgentOverview['broker']>): string[] {
  if (together.routes === 0) return ['no route in the last hour']
  const shares = Object.entries({ skill, wasm, llm, other })
    .filter(([type, part]) => type !== 'other' || part > 0)
    .map(([type, part]) => `${formatShare(part, together.routes)} ${typeLabels[type as HandlerType]}`)
  const middle = `p50 ${formatLatency(together.p50)}`
  return [`${middle} over ${plural(together.routes, 'route')}`, shares.join(', ')]
}
