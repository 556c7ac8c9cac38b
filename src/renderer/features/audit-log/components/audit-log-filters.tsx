import { NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import {
  auditGroupNames,
  auditGroups,
  auditKindLabels,
  kindsOfGroup,
} from '../../../../shared/audit-kinds.texts.ts'
import { auditFilterKinds } from '../../../../shared/contracts/desk-audit-log.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { SelectFilter } from '../../../components/list/filter-bar.tsx'
import { upperFirst } from '../../../lib/format.ts'
import type { AuditLogFilter } from '../audit-log-filter.ts'
import { texts } from '../audit-log.texts.ts'
import classes from './audit-log-filters.module.css'

const { filters } = texts

interface Props {
  filter: AuditLogFilter
  people: readonly PersonListRow[]
  onFilter: (change: Partial<AuditLogFilter>) => void
}

/** Filters the audit log by kind of event, person, and dates. */
export function AuditLogFilters({ filter, people, onFilter }: Props) {
  return (
    <>
      <NativeSelect
        size="sm"
        maw={220}
        aria-label={filters.event}
        value={filter.kind ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ kind: auditFilterKinds.find((kind) => kind === value) ?? null })
        }
        data={[
          { value: '', label: filters.allEvents },
          ...auditGroupNames.map((group) => ({
            group: auditGroups[group].label,
            items: [
              { value: group, label: filters.allOf(auditGroups[group].label) },
              ...kindsOfGroup(group).map((kind) => ({
                value: kind,
                label: upperFirst(auditKindLabels[kind]),
              })),
            ],
          })),
        ]}
      />
      <SelectFilter
        label={filters.person}
        options={[
          [null, filters.everyone],
          ...people.map((person) => [String(person.id), publisherName(person)] as const),
          ...(filter.person === null || people.some(({ id }) => String(id) === filter.person)
            ? []
            : [[filter.person, filters.unknownPerson(filter.person)] as const]),
        ]}
        value={filter.person}
        onValue={(person) => onFilter({ person })}
      />
      {filter.about !== null && (
        <button type="button" className={classes['about']} onClick={() => onFilter({ about: null })}>
          {filters.about(filter.about)} <IconX size={14} stroke={1.75} aria-hidden />
        </button>
      )}
      <Day label={filters.from} value={filter.from} onDay={(from) => onFilter({ from })} />
      <Day label={filters.to} value={filter.to} onDay={(to) => onFilter({ to })} />
      <span data-text="note">{filters.zone}</span>
    </>
  )
}

function Day({
  label,
  value,
  onDay,
}: {
  label: string
  value: string | null
  onDay: (day: string | null) => void
}) {
  return (
    <label className={classes['day']} data-text="note">
      {label}
      <TextInput
        size="sm"
        type="date"
        value={value ?? ''}
        onChange={({ currentTarget }) => onDay(currentTarget.value === '' ? null : currentTarget.value)}
      />
    </label>
  )
}
