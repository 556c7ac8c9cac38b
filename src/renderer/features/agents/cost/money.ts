import type { Spend } from '../../../../shared/contracts/desk-agents-common.ts'
import { plural } from '../../../lib/format.ts'

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const fine = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
  minimumSignificantDigits: 1,
  maximumSignificantDigits: 2,
})

/** `$27.50`; below a cent `$0.004`; an unknown amount is the word. */
export function formatCents(cents: number | null): string {
  if (cents === null) return 'unknown'
  return cents !== 0 && Math.abs(cents) < 1 ? fine.format(cents / 100) : whole.format(cents / 100)
}

const unit = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
})

/** What one of many costs, so exactly that it can be multiplied: `$0.0286`. */
export function formatUnitPrice(cents: number): string {
  return Math.abs(cents) < 1 ? formatCents(cents) : unit.format(cents / 100)
}

/** What is left out of an amount, in words; null where nothing is. */
export function unpricedNote({ unpriced }: Spend): string | null {
  return unpriced === 0 ? null : `${plural(unpriced, 'call')} without price`
}

/** On an axis, all with as many digits as the step needs: `$2`, `$0.50`. */
export function dollarTick(dollars: number, step: number): string {
  const digits = step >= 1 ? 0 : Math.max(2, Math.ceil(-Math.log10(step)))
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}
