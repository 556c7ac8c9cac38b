import type { HistoryEntry, HistoryKind } from '../../../shared/contracts/desk-history.ts'
import { texts } from './history.texts.ts'

export const kindLabels: Record<HistoryKind, string> = texts.kinds

/** Whether a decision was made with evidence; empty for events that are not decisions. */
export function evidenceLabel({ evidence }: Pick<HistoryEntry, 'evidence'>): string {
  if (evidence === null) return ''
  return evidence ? texts.evidence.desk : texts.evidence.none
}
