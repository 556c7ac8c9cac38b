import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Region } from '../../../components/feedback/region.tsx'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import type { PersonListRow } from '../../../../shared/contracts/desk-people.ts'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { peoplePath } from '../people-filter.ts'
import type { PeopleFilter } from '../people-filter.ts'
import { AddPerson } from './add-person.tsx'
import { texts } from '../people.texts.ts'
import classes from './people-column.module.css'
import { PersonRow } from './person-row.tsx'
import { Providers } from './providers.tsx'

const { list } = texts

interface Props {
  people: UseQueryResult<{ items: PersonListRow[] }>
  shown: readonly PersonListRow[]
  filter: PeopleFilter
  selected: number
  me: DeskPerson
  adding: boolean
  onAdding: (adding: boolean) => void
  onFilter: (filter: PeopleFilter) => void
  onAdded: (id: number) => void
}

/** The list of people, those with access first, and below it the configured identity providers. */
export function PeopleColumn(props: Props) {
  const { people, shown, filter, selected, me, adding, onAdding, onFilter, onAdded } = props
  const all = people.data?.items
  const administrators = all?.filter(({ role, removedAt }) => role === 'administrator' && removedAt === null)
  return (
    <Region name="list" as="aside" className={classes['column']} aria-label={list.title}>
      <header className={classes['head']}>
        <h1>{list.title}</h1>
        <Segmented
          label={list.views.label}
          current={filter.view}
          segments={[
            {
              key: 'all',
              label: list.views.all,
              count: all?.length,
              href: peoplePath(null, { ...filter, view: 'all' }),
            },
            {
              key: 'administrators',
              label: list.views.administrators,
              count: administrators?.length,
              href: peoplePath(null, { ...filter, view: 'administrators' }),
            },
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
        <SearchField
          value={filter.q}
          placeholder={list.search}
          onSearch={(q) => onFilter({ ...filter, q })}
        />
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
      {people.error !== null && (
        <div className={classes['error']}>
          <Failure error={people.error} what={list.loadFailed} retry={() => void people.refetch()} />
        </div>
      )}
      {people.isPending && people.error === null && <Skeleton rows={6} height={44} what={list.loading} />}
      {all !== undefined && shown.length === 0 && (
        <EmptyState icon={IconUsers} title={list.noMatches(filter.q)}>
          <Link href={peoplePath(null, { view: 'all', q: '' })}>{list.clearFilters}</Link>
        </EmptyState>
      )}
      <ul aria-label={list.title}>
        {shown.map((person) => (
          <li key={person.id}>
            <PersonRow
              person={person}
              href={peoplePath(person.id, filter)}
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
