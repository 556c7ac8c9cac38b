import { auditGroupNames, auditGroups } from '../../../shared/audit-kinds.texts.ts'
import type { AuditGroup, AuditKind } from '../../../shared/audit-kinds.texts.ts'
import type { AuditEntry } from '../../../shared/contracts/desk-audit-log.ts'
import { texts } from './audit-log.texts.ts'

/** The group of a kind in the filter. */
export function groupOf(kind: AuditKind): AuditGroup {
  return auditGroupNames.find((name) => Object.hasOwn(auditGroups[name].kinds, kind)) ?? 'releases'
}

/** Whether a decision was made with evidence; empty for events that are not decisions. */
export function evidenceLabel({ evidence }: Pick<AuditEntry, 'evidence'>): string {
  if (evidence === null) return ''
  return evidence ? texts.evidence.desk : texts.evidence.none
}

/** Where a change was made; the addresses of this computer are left out. */
export function originLabel({ channel, address }: Pick<AuditEntry, 'channel' | 'address'>): string {
  const isLocal = address === null || address === '::1' || address.startsWith('127.') || address === '0:0:0:0'
  return [channel === null ? '' : texts.channels[channel], isLocal ? '' : address].filter(Boolean).join(' ')
}

const fieldLabel = (field: string): string =>
  (texts.fields as Partial<Record<string, string>>)[field] ?? field.replaceAll('_', ' ')

/** What has changed, such as `role: developer → administrator`. */
export function changesLabel({
  kind,
  changes,
  count,
}: Pick<AuditEntry, 'kind' | 'changes' | 'count'>): string {
  const isChange = kind.endsWith('.changed') && kind !== 'settings.changed'
  const parts = changes.map(({ field, from, to }) => {
    const label = fieldLabel(field)
    if (from === null && to === null) return texts.changed(label)
    return isChange
      ? texts.change(label, from || texts.none, to || texts.none)
      : texts.value(label, to || from || texts.none)
  })
  return [...parts, ...(count > 1 ? [texts.times(count)] : [])].join(', ')
}
