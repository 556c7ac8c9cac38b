import { dollars } from '../../../../shared/agent-alert-text.ts'
import type { Spend } from '../../../../shared/contracts/desk-agents-common.ts'
import { texts } from '../agents.texts.ts'

const inDollars = (digits: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 2, ...digits })
const small = inDollars({
  maximumFractionDigits: 6,
  minimumSignificantDigits: 1,
  maximumSignificantDigits: 2,
})
const unit = inDollars({ maximumFractionDigits: 4 })

/** `$27.50`, or `$0.004` below a cent; null is `unknown`. */
export function formatCents(cents: number | null): string {
  if (cents === null) return texts.unknown
  return cents !== 0 && Math.abs(cents) < 1 ? small.format(cents / 100) : dollars(cents)
}

/** A unit price with enough digits to multiply it: `$0.0286`. */
export function formatUnitPrice(cents: number): string {
  return Math.abs(cents) < 1 ? formatCents(cents) : unit.format(cents / 100)
}

/** The calls that an amount does not include; null if it includes all. */
export function unpricedNote({ unpriced }: Spend): string | null {
  return unpriced === 0 ? null : texts.cost.unpricedCalls(unpriced)
}

/** An axis label with as many digits as the step needs: `$2`, `$0.50`. */
export function dollarTick(amount: number, step: number): string {
  const digits = step >= 1 ? 0 : Math.max(2, Math.ceil(-Math.log10(step)))
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}
