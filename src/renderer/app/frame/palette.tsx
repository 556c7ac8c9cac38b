import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconArrowRight, IconHandClick, IconPackage, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { Keycap } from '../../components/form/keycap.tsx'
import { Status } from '../../components/feedback/status.tsx'
import { findReleasesQuery } from '../../features/review/review.api.ts'
import { useMayOpen } from '../../lib/app/areas.ts'
import { useAllActions } from '../../lib/keys/actions.ts'
import type { Action } from '../../lib/keys/actions.ts'
import { upperFirst } from '../../lib/format.ts'
import { useStore } from '../../lib/state/store.ts'
import { followButtons, leavePalette, paletteButtons, paletteQuery, paletteStore } from './frame-actions.ts'
import classes from './palette.module.css'

/** The command palette: every action of this screen, and every release by its name, publisher or digest. */
export function Palette() {
  const query = useStore(paletteQuery)
  const [, navigate] = useLocation()
  const mayReview = useMayOpen('/review')
  const actions = useAllActions()
  const search = query.trim().toLowerCase()
  const releases = useQuery({
    ...findReleasesQuery(search),
    enabled: mayReview && search.length > 1,
    placeholderData: keepPreviousData,
  })
  const found = search.length > 1 ? (releases.data?.items.slice(0, 8) ?? []) : []
  const doable = actions
    .filter((action) => action.id !== 'palette' && titleOf(action).toLowerCase().includes(search))
    // Actions that people only use by their keys come last.
    .toSorted((a, b) => Number(a.keysOnly === true) - Number(b.keysOnly === true))
  const pressable = useStore(paletteButtons).filter(({ label }) => label.toLowerCase().includes(search))
  // An action may move the focus, so it runs after the palette has closed and restored it.
  const chosen = useRef<(() => void) | null>(null)
  const finish = (): void => {
    leavePalette()
    chosen.current?.()
    chosen.current = null
  }
  const { opened } = useSpotlight(paletteStore)
  useEffect(() => (opened ? catchEarlyKeys() : undefined), [opened])
  useEffect(() => (opened ? followButtons() : undefined), [opened])
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={(text) => paletteQuery.set(text)}
      clearQueryOnClose={false}
      shortcut={null}
      returnFocus={false}
      onSpotlightClose={finish}
      lockScroll={false}
      scrollable
      maxHeight={420}
      radius="xl"
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0 }}
      attributes={{ content: { 'aria-label': 'Search or run a command' } }}
    >
      <Spotlight.Search
        placeholder="Search or run a command"
        aria-label="Search or run a command"
        leftSection={<IconSearch size={16} stroke={1.75} />}
      />
      <Spotlight.ActionsList>
        {doable.map((action) => (
          <Spotlight.Action
            key={action.id}
            className={classes['action']}
            onClick={() => {
              chosen.current = action.run
            }}
          >
            <IconArrowRight size={16} stroke={1.75} aria-hidden />
            <span className={classes['label']}>{titleOf(action)}</span>
            {action.keys?.map((keys) => (
              <Keycap key={keys} keys={keys} quiet />
            ))}
          </Spotlight.Action>
        ))}
        {pressable.map(({ label, press }) => (
          <Spotlight.Action
            key={`button-${label}`}
            className={classes['action']}
            onClick={() => {
              chosen.current = press
            }}
          >
            <IconHandClick size={16} stroke={1.75} aria-hidden />
            <span className={classes['label']}>{label}</span>
          </Spotlight.Action>
        ))}
        {found.map((row) => (
          <Spotlight.Action
            key={`release-${row.id}`}
            className={classes['action']}
            onClick={() => navigate(`/review/${row.id}?view=all`)}
          >
            <IconPackage size={16} stroke={1.75} aria-hidden />
            <span data-mono>
              {row.name} {row.version}
            </span>
            <span className={classes['label']} data-text="note">
              by {row.publisher}
            </span>
            <Status kind={row.status} />
          </Spotlight.Action>
        ))}
        {found.length + doable.length + pressable.length === 0 && (
          <Spotlight.Empty>
            {releases.error !== null
              ? 'No matching commands. Release search is unavailable right now.'
              : releases.isFetching
                ? 'Searching…'
                : 'No results'}
          </Spotlight.Empty>
        )}
        <Selection />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/**
 * Selects the first row if none is selected, so that Enter always has one. Releases load later and are listed below the
 * actions, so nothing moves. It is part of the list, which may appear after everything was typed.
 */
function Selection() {
  const marker = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const list = marker.current?.parentElement
    if (list?.querySelector('[data-selected]') === null) {
      list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    }
  })
  return <span ref={marker} hidden />
}

/**
 * Adds to the query what is typed before the field has the focus, and runs the selected action on an early Enter. Returns
 * a function that stops this.
 */
function catchEarlyKeys(): () => void {
  const catchKey = (event: KeyboardEvent): void => {
    const isInPalette = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null
    if (event.key === 'Enter' && !isInPalette) {
      event.preventDefault()
      document.querySelector<HTMLElement>('[role="dialog"] [data-selected]')?.click()
      return
    }
    const typed = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    const isInField = event.target instanceof Element && event.target.matches('.mantine-Spotlight-search')
    if (!typed || isInField) return
    event.preventDefault()
    paletteQuery.set(paletteQuery.get() + event.key)
  }
  document.addEventListener('keydown', catchKey, true)
  return () => document.removeEventListener('keydown', catchKey, true)
}

function titleOf({ group, label }: Action): string {
  return group === 'Go' ? `Go to ${label}` : upperFirst(label)
}
