import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { Region } from '../../components/feedback/region.tsx'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { moveActions, useActions } from '../../lib/keys/actions.ts'
import { useViewFilter } from '../../lib/list/view-filter.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { PeopleColumn } from './components/people-column.tsx'
import { PersonPane } from './components/person-pane.tsx'
import { filterPeople, peopleFilter } from './people-filter.ts'
import { peopleQuery } from './people.api.ts'
import { texts } from './people.texts.ts'
import classes from './people-page.module.css'

/** The people of the registry, and one person's access. */
export function PeoplePage({ id, me }: { id: number | null; me: DeskPerson }) {
  useTitle(texts.page.title)
  const [, navigate] = useLocation()
  const state = useViewFilter(peopleFilter)
  const { filter } = state
  const people = useQuery(peopleQuery)
  const [adding, setAdding] = useState(false)
  const shown = filterPeople(people.data?.items ?? [], filter)
  const selected = id ?? me.id
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
    <div className={classes['page']}>
      <ErrorBoundary what={texts.page.list}>
        <PeopleColumn
          people={people}
          shown={shown}
          state={state}
          selected={selected}
          me={me}
          adding={adding}
          onAdding={setAdding}
          onSearch={(q) => navigate(peopleFilter.path({ ...filter, q }, id), { replace: true })}
          onAdded={(added) => navigate(peopleFilter.path(filter, added))}
        />
      </ErrorBoundary>
      <Region name="sheet" className={classes['pane']}>
        <PersonPane key={selected} id={selected} me={me} />
      </Region>
      <ToastArea place="window" />
    </div>
  )
}
