import { NativeSelect, TextInput } from '@mantine/core'
import { historyKinds } from '../../../../shared/contracts/desk-history.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../../shared/contracts/people.ts'
import { SearchField } from '../../../components/list/search-field.tsx'
import type { HistoryFilter } from '../history-filter.ts'
import { kindWords } from '../kinds.ts'
import classes from './history-filters.module.css'

interface Props {
  filter: HistoryFilter
  people: readonly PersonListRow[]
  onFilter: (filter: HistoryFilter) => void
}

/** What happened, who did it, when, and words of it. */
export function HistoryFilters({ filter, people, onFilter }: Props) {
  return (
    <div className={classes['filters']} role="search" aria-label="Filter the history">
      <NativeSelect
        size="sm"
        aria-label="What happened"
        value={filter.kind ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ ...filter, kind: historyKinds.find((kind) => kind === value) ?? null })
        }
        data={[
          { value: '', label: 'Everything' },
          ...historyKinds.map((kind) => ({ value: kind, label: upper(kindWords[kind]) })),
        ]}
      />
      <NativeSelect
        size="sm"
        aria-label="Who"
        value={filter.person === null ? '' : String(filter.person)}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ ...filter, person: value === '' ? null : Number(value) })
        }
        data={[
          { value: '', label: 'Everybody' },
          ...people.map((person) => ({ value: String(person.id), label: publisherName(person) })),
          ...(filter.person === null || people.some(({ id }) => id === filter.person)
            ? []
            : [{ value: String(filter.person), label: `Person ${filter.person}` }]),
        ]}
      />
      <Day label="from" value={filter.from} onDay={(from) => onFilter({ ...filter, from })} />
      <Day label="to" value={filter.to} onDay={(to) => onFilter({ ...filter, to })} />
      <span className={classes['zone']}>days in UTC</span>
      <div className={classes['search']}>
        <SearchField
          value={filter.q}
          placeholder="Name, person, words of it"
          onSearch={(q) => onFilter({ ...filter, q })}
        />
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

function upper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
