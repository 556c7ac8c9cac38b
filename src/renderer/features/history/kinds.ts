import type { HistoryEntry, HistoryKind } from '../../../shared/contracts/desk-history.ts'

export const kindWords: Record<HistoryKind, string> = {
  submitted: 'submitted',
  approved: 'approved',
  rejected: 'rejected',
  revoked: 'revoked',
  judged: 'judged harmless',
  withdrawn: 'judgement withdrawn',
}

/** Of a decision: what stands behind it; of anything else there is none to be given. */
export function evidenceWords({ evidence }: Pick<HistoryEntry, 'evidence'>): string {
  if (evidence === null) return ''
  return evidence ? 'made in the desk' : 'no evidence given'
}
