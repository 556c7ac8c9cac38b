import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { IconArrowRight, IconHandClick, IconPackage, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { Keycap } from '../../components/form/keycap.tsx'
import { Status } from '../../components/feedback/status.tsx'
import { findReleasesQuery } from '../../features/review/review.api.ts'
import { useAllActions } from '../../lib/keys/actions.ts'
import type { Action } from '../../lib/keys/actions.ts'
import { useStore } from '../../lib/state/store.ts'
import { followButtons, leavePalette, paletteButtons, paletteQuery, paletteStore } from './frame-actions.ts'
import classes from './palette.module.css'

/** Every action of this screen, and every release by its name, publisher or digest. */
export function Palette({ administers }: { administers: boolean }) {
  const query = useStore(paletteQuery)
  const [, navigate] = useLocation()
  const actions = useAllActions()
  const wanted = query.trim().toLowerCase()
  const releases = useQuery({
    ...findReleasesQuery(wanted),
    enabled: administers && wanted.length > 1,
    placeholderData: keepPreviousData,
  })
  const found = wanted.length > 1 ? (releases.data?.items.slice(0, 8) ?? []) : []
  const doable = actions
    .filter((action) => action.id !== 'palette' && titleOf(action).toLowerCase().includes(wanted))
    // What is done by a key at every moment is looked up last.
    .toSorted((a, b) => Number(a.keysOnly === true) - Number(b.keysOnly === true))
  const pressable = useStore(paletteButtons).filter(({ label }) => label.toLowerCase().includes(wanted))
  // An action may put the focus somewhere, so that it follows when the palette is gone and the focus is back.
  const chosen = useRef<(() => void) | null>(null)
  const finish = (): void => {
    leavePalette()
    chosen.current?.()
    chosen.current = null
  }
  const { opened } = useSpotlight(paletteStore)
  useEffect(() => (opened ? catchEarlyKeys() : undefined), [opened])
  useEffect(() => (opened ? followButtons() : undefined), [opened])
  // Releases arrive later and below the actions: nothing moves under the hand, and Enter always has a first one.
  useEffect(() => {
    const list = document.querySelector('.mantine-Spotlight-actionsList')
    if (list?.querySelector('[data-selected]') === null) {
      list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    }
  })
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
      attributes={{ content: { 'aria-label': 'Find or do anything' } }}
    >
      <Spotlight.Search
        placeholder="Find or do anything"
        aria-label="Find or do anything"
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
            <span className={classes['name']}>
              {row.name} {row.version}
            </span>
            <span className={classes['by']}>by {row.publisher}</span>
            <Status kind={row.status} />
          </Spotlight.Action>
        ))}
        {found.length + doable.length + pressable.length === 0 && (
          <Spotlight.Empty>
            {releases.error !== null
              ? 'No action has this in its name, and releases cannot be searched just now.'
              : releases.isFetching
                ? 'Looking…'
                : 'Nothing has this in its name.'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** What is typed before the field has the focus is not lost: it stands in the field. */
function catchEarlyKeys(): () => void {
  const take = (event: KeyboardEvent): void => {
    const typed = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    const there = event.target instanceof Element && event.target.matches('.mantine-Spotlight-search')
    if (!typed || there) return
    event.preventDefault()
    paletteQuery.set(paletteQuery.get() + event.key)
  }
  document.addEventListener('keydown', take, true)
  return () => document.removeEventListener('keydown', take, true)
}

function titleOf({ group, label }: Action): string {
  return group === 'Go' ? `Go to ${label}` : label.slice(0, 1).toUpperCase() + label.slice(1)
}
