import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { DeskPerson } from '../../../shared/contracts/desk-common.ts'
import { ListAndSheet } from '../../components/list/list-and-sheet.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import type { Action } from '../../lib/keys/actions.ts'
import { findRegion, focusRegion } from '../../lib/keys/regions.ts'
import { useListSelection } from '../../lib/list/use-list-selection.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { ProjectColumn } from './components/project-column.tsx'
import { ProjectPane } from './components/project-pane.tsx'
import { moveByStep } from './project-order.ts'
import { showcaseFilter } from './showcase-filter.ts'
import { useViewFilter } from '../../lib/list/view-filter.ts'
import { deskProjectQuery } from './showcase.api.ts'
import { useProjects } from './use-projects.ts'
import type { Projects } from './use-projects.ts'
import { texts } from './showcase.texts.ts'

/** The list of projects on the left; the selected project, with the dock that decides it, on the right. */
export function ShowcasePage({ id, me }: { id: number | null; me: DeskPerson }) {
  const [, navigate] = useLocation()
  const state = useViewFilter(showcaseFilter)
  const { filter } = state
  const projects = useProjects(filter)
  const { drawer, openList, closeList, select, focusRequested, requestFocus } = useListSelection({
    noun: texts.page.noun,
    id,
    list: projects,
    filter,
    path: showcaseFilter.path,
  })
  const project = useQuery({ ...deskProjectQuery(id ?? 0), enabled: id !== null })
  useTitle(...(project.data === undefined ? [] : [project.data.content.title]), texts.page.title)

  const leaveDeleted = (deleted: number): void => {
    const to = projects.neighbor(deleted, 1) ?? projects.neighbor(deleted, -1)
    projects.remove(deleted)
    if (to !== undefined) return select(to)
    navigate(showcaseFilter.path(filter))
    const list = findRegion('list')
    if (list !== null) focusRegion(list)
  }
  const nextPending = projects.nextPending(id)
  // Prefetch the neighbors, so that stepping and deciding with the keyboard does not wait.
  const nextId = projects.placeOf(id) === null ? undefined : projects.neighbor(id, 1)
  const client = useQueryClient()
  useEffect(() => {
    for (const one of new Set([nextId, nextPending])) {
      if (one !== undefined) void client.prefetchQuery(deskProjectQuery(one))
    }
  }, [client, nextId, nextPending])
  useOrderActions(filter.view === 'approved' && filter.q === '' ? projects : null, id, requestFocus)

  return (
    <ListAndSheet
      what={texts.page.list}
      drawer={drawer}
      onClose={closeList}
      list={
        <ProjectColumn
          state={state}
          projects={projects}
          selected={id}
          focusRequested={focusRequested}
          onFocused={() => requestFocus(null)}
        />
      }
      sheet={
        <ProjectPane
          key={id}
          id={id}
          me={me}
          nothing={!projects.isPending && projects.total === 0}
          hasNext={nextPending !== undefined}
          onOpenList={openList}
          onNext={() => select(nextPending)}
          onPlaced={projects.follow}
          onDeleted={leaveDeleted}
        />
      }
    />
  )
}

/** Shortcuts that move the selected project in the public order. */
function useOrderActions(projects: Projects | null, id: number | null, onMoved: (id: number) => void): void {
  const move = (step: 1 | -1, key: string, label: string): Action => ({
    id: `order-${key}`,
    label,
    group: 'Decide',
    keys: [key],
    run() {
      const order = id === null ? null : moveByStep(projects?.rows ?? [], id, step)
      if (order === null) return
      projects?.reorder(order)
      onMoved(order.id)
    },
  })
  useActions(
    projects === null || id === null
      ? []
      : [
          move(-1, 'shift+ArrowUp', texts.page.actions.up),
          move(1, 'shift+ArrowDown', texts.page.actions.down),
        ],
  )
}
