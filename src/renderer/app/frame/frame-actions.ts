import { useMantineColorScheme } from '@mantine/core'
import { createSpotlight } from '@mantine/spotlight'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { useSignOut } from '../../features/session/session.api.ts'
import { useActions } from '../../lib/keys/actions.ts'
import type { Action } from '../../lib/keys/actions.ts'
import { focusNextRegion } from '../../lib/keys/regions.ts'
import { createStore } from '../../lib/state/store.ts'
import { findButtons } from './screen-buttons.ts'
import type { ScreenButton } from './screen-buttons.ts'

export const keysSheetOpen = createStore(false)
export const [paletteStore, palette] = createSpotlight()
export const paletteQuery = createStore('')
/** What can be pressed behind the palette. */
export const paletteButtons = createStore<readonly ScreenButton[]>([])

const areas = [
  { path: '/review', label: 'Review', keys: ['g r'] },
  { path: '/content', label: 'Content', keys: ['g c'] },
  { path: '/content/blog', label: 'Blog', keys: [] },
  { path: '/content/showcase', label: 'Showcase', keys: [] },
  { path: '/content/media', label: 'Media', keys: [] },
  { path: '/agents', label: 'Agents', keys: ['g a'] },
  { path: '/people', label: 'People', keys: ['g p'] },
  { path: '/services', label: 'Services', keys: ['g s'] },
  { path: '/settings', label: 'Settings', keys: ['g ,'] },
  { path: '/history', label: 'History of everything', keys: ['g h'] },
  { path: '/reasons', label: 'Reasons to start notes from', keys: [] },
]

/** What had the focus when the palette was opened, and gets it back. */
let opener: HTMLElement | null = null

/** Opens the palette empty; closing ends later than the next opening may begin. */
export function openPalette(): void {
  const active = document.activeElement
  opener = active instanceof HTMLElement && active !== document.body ? active : null
  paletteQuery.set('')
  paletteButtons.set(findButtons())
  flushSync(() => palette.open())
}

/** What arrives on the screen while the palette is open is offered as well. Gives what ends it. */
export function followButtons(): () => void {
  const root = document.getElementById('root')
  if (root === null) return () => {}
  let frame = 0
  const look = (): void => {
    const buttons = findButtons()
    const isOther = namesOf(buttons) !== namesOf(paletteButtons.get())
    if (isOther) paletteButtons.set(buttons)
  }
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(look)
  })
  observer.observe(root, { childList: true, subtree: true })
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
  }
}

function namesOf(buttons: readonly ScreenButton[]): string {
  return JSON.stringify(buttons.map(({ label }) => label))
}

export function leavePalette(): void {
  if (opener?.isConnected === true) opener.focus({ preventScroll: true })
}

/** What can be done on every screen. */
export function useFrameActions(administers: boolean): void {
  const [, navigate] = useLocation()
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const dark = (): boolean => document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark'
  const go = (path: string, label: string, keys: readonly string[] = []): Action => ({
    id: `go-${path}`,
    label,
    group: 'Go',
    keys,
    run: () => navigate(path),
  })
  useActions([
    ...(administers ? areas.map(({ path, label, keys }) => go(path, label, keys)) : []),
    go('/own', administers ? 'Your releases and tokens' : 'My releases', ['g m']),
    {
      id: 'palette',
      label: 'find or do anything',
      group: 'Anywhere',
      keys: ['mod+k'],
      inFields: true,
      keysOnly: true,
      run: openPalette,
    },
    {
      id: 'keys',
      label: 'the sheet of keys',
      group: 'Anywhere',
      keys: ['?'],
      run: () => keysSheetOpen.set(true),
    },
    {
      id: 'scheme',
      label: 'light, dark',
      group: 'Anywhere',
      keys: ['mod+shift+l'],
      inFields: true,
      run: () => setColorScheme(dark() ? 'light' : 'dark'),
    },
    { id: 'scheme-auto', label: 'theme of the system', group: 'Anywhere', run: () => setColorScheme('auto') },
    {
      id: 'region',
      label: 'next region',
      group: 'Anywhere',
      keys: ['F6'],
      inFields: true,
      keysOnly: true,
      run: focusNextRegion,
    },
    { id: 'sign-out', label: 'sign out', group: 'Anywhere', run: () => signOut.mutate() },
    { id: 'back', label: 'back', group: 'Move', keys: ['['], keysOnly: true, run: () => history.back() },
    {
      id: 'forward',
      label: 'forward',
      group: 'Move',
      keys: [']'],
      keysOnly: true,
      run: () => history.forward(),
    },
  ])
}
