import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Region } from '../../../components/feedback/region.tsx'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { moveActions, useActions } from '../../../lib/keys/actions.ts'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import { filterPeople, peopleFilter } from '../people-filter.ts'
import { peopleQuery } from '../people.api.ts'
import { AddPerson } from './add-person.tsx'
import { texts } from '../people.texts.ts'
import classes from './people-column.module.css'
import { PersonRow } from './person-row.tsx'
import { Providers } from './providers.tsx'

const { list } = texts

interface Props {
  /** The person in the address. */
  id: number | null
  /** The person shown; the signed-in one if the address has no id. */
  selected: number
  me: DeskPerson
}

/** The list of people, those with access first, and below it the configured identity providers. */
export function PeopleColumn({ id, selected, me }: Props) {
  const [, navigate] = useLocation()
  const state = useViewFilter(peopleFilter)
  const { filter } = state
  const people = useQuery(peopleQuery)
  const [adding, setAdding] = useState(false)
  const all = people.data?.items
  const shown = filterPeople(all ?? [], filter)
  const administrators = all?.filter(({ role, removedAt }) => role === 'administrator' && removedAt === null)
  const move = (step: 1 | -1): void => {
    const index = shown.findIndex((person) => person.id === selected)
    const to = shown[index + step]
    if (to === undefined) return
    navigate(peopleFilter.path(filter, to.id))
    document.querySelector<HTMLElement>(`[data-person="${to.id}"]`)?.focus()
  }
  useActions([
    ...moveActions(texts.page.actions, move),
    { id: 'add', label: texts.page.actions.add, group: 'Look', run: () => setAdding(true) },
  ])
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
        <ActionButton variant="filled" size="sm" icon={IconPlus} onClick={() => setAdding(true)}>
          {list.add}
        </ActionButton>
      </header>
      <div className={classes['search']}>
        <SearchField
          value={filter.q}
          placeholder={list.search}
          onSearch={(q) => navigate(peopleFilter.path({ ...filter, q }, id), { replace: true })}
        />
      </div>
      {adding && (
        <AddPerson
          onCancel={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false)
            navigate(peopleFilter.path(filter, added))
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
