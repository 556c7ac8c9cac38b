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
import { SearchField } from '../../../components/list/search-field.tsx'
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

/** Filters the audit log by kind of event, person, dates and text. */
export function AuditLogFilters({ filter, people, onFilter }: Props) {
  return (
    <div className={classes['filters']} role="search" aria-label={filters.label}>
      <NativeSelect
        size="sm"
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
      <NativeSelect
        size="sm"
        aria-label={filters.person}
        value={filter.person ?? ''}
        onChange={({ currentTarget: { value } }) => onFilter({ person: value === '' ? null : value })}
        data={[
          { value: '', label: filters.everyone },
          ...people.map((person) => ({ value: String(person.id), label: publisherName(person) })),
          ...(filter.person === null || people.some(({ id }) => String(id) === filter.person)
            ? []
            : [{ value: filter.person, label: filters.unknownPerson(filter.person) }]),
        ]}
      />
      {filter.about !== null && (
        <button type="button" className={classes['about']} onClick={() => onFilter({ about: null })}>
          {filters.about(filter.about)} <IconX size={14} stroke={1.75} aria-hidden />
        </button>
      )}
      <Day label={filters.from} value={filter.from} onDay={(from) => onFilter({ from })} />
      <Day label={filters.to} value={filter.to} onDay={(to) => onFilter({ to })} />
      <span className={classes['zone']}>{filters.zone}</span>
      <div className={classes['search']}>
        <SearchField value={filter.q} placeholder={filters.search} onSearch={(q) => onFilter({ q })} />
      </div>
    </div>
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
    <label className={classes['day']}>
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
