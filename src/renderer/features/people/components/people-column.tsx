import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Region } from '../../../components/feedback/region.tsx'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { peopleFilter } from '../people-filter.ts'
import type { PeopleFilter } from '../people-filter.ts'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import { AddPerson } from './add-person.tsx'
import { texts } from '../people.texts.ts'
import classes from './people-column.module.css'
import { PersonRow } from './person-row.tsx'
import { Providers } from './providers.tsx'

const { list } = texts

interface Props {
  people: UseQueryResult<{ items: PersonListRow[] }>
  shown: readonly PersonListRow[]
  state: FilterState<PeopleFilter>
  selected: number
  me: DeskPerson
  adding: boolean
  onAdding: (adding: boolean) => void
  onSearch: (q: string) => void
  onAdded: (id: number) => void
}

/** The list of people, those with access first, and below it the configured identity providers. */
export function PeopleColumn(props: Props) {
  const { people, shown, state, selected, me, adding, onAdding, onSearch, onAdded } = props
  const { filter } = state
  const all = people.data?.items
  const administrators = all?.filter(({ role, removedAt }) => role === 'administrator' && removedAt === null)
  return (
    <Region name="list" as="aside" className={classes['column']} aria-label={list.title}>
      <header className={classes['head']}>
        <h1>{list.title}</h1>
        <FieldSegments
          label={list.views.label}
          state={state}
          field="view"
          options={[
            ['all', list.views.all, all?.length],
            ['administrators', list.views.administrators, administrators?.length],
          ]}
        />
        <Button
          variant="filled"
          size="sm"
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={() => onAdding(true)}
        >
          {list.add}
        </Button>
      </header>
      <div className={classes['search']}>
        <SearchField value={filter.q} placeholder={list.search} onSearch={onSearch} />
      </div>
      {adding && (
        <AddPerson
          onCancel={() => onAdding(false)}
          onAdded={(id) => {
            onAdding(false)
            onAdded(id)
          }}
        />
      )}
      <Loading query={people} rows={6} height={44} what={list.loading} failed={list.loadFailed} />
      {all !== undefined && shown.length === 0 && (
        <EmptyState icon={IconUsers} title={list.noMatches(filter.q)}>
          <Link href={peopleFilter.path({})}>{list.clearFilters}</Link>
        </EmptyState>
      )}
      <ul aria-label={list.title}>
        {shown.map((person) => (
          <li key={person.id}>
            <PersonRow
              person={person}
              href={peopleFilter.path(filter, person.id)}
              selected={person.id === selected}
              you={person.id === me.id}
            />
          </li>
        ))}
      </ul>
      <Providers />
    </Region>
  )
}
