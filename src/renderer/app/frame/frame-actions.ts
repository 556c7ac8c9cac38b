import { useMantineColorScheme } from '@mantine/core'
import { createSpotlight } from '@mantine/spotlight'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import type { Role } from '../../../shared/contracts/people.ts'
import { useSignOut } from '../../features/session/session.api.ts'
import { mayOpen } from '../../lib/app/areas.ts'
import { useActions } from '../../lib/keys/actions.ts'
import type { Action } from '../../lib/keys/actions.ts'
import { focusNextRegion } from '../../lib/keys/regions.ts'
import { createStore } from '../../lib/state/store.ts'
import { findButtons } from './screen-buttons.ts'
import type { ScreenButton } from './screen-buttons.ts'

export const keysSheetOpen = createStore(false)
export const [paletteStore, palette] = createSpotlight()
export const paletteQuery = createStore('')
/** Buttons of the screen behind the palette. */
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
  { path: '/history', label: 'Audit log', keys: ['g h'] },
  { path: '/reasons', label: 'Review note templates', keys: [] },
]

/** The element that had the focus when the palette was opened; it gets the focus back. */
let opener: HTMLElement | null = null

/** Opens the palette with an empty query. Cleared here, because closing may finish after it is opened again. */
export function openPalette(): void {
  const active = document.activeElement
  opener = active instanceof HTMLElement && active !== document.body ? active : null
  paletteQuery.set('')
  paletteButtons.set(findButtons())
  flushSync(() => palette.open())
}

/** Adds buttons that appear on the screen while the palette is open. Returns a function that stops this. */
export function followButtons(): () => void {
  const root = document.getElementById('root')
  if (root === null) return () => {}
  let frame = 0
  const update = (): void => {
    const buttons = findButtons()
    const isChanged = labelsOf(buttons) !== labelsOf(paletteButtons.get())
    if (isChanged) paletteButtons.set(buttons)
  }
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(update)
  })
  observer.observe(root, { childList: true, subtree: true })
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
  }
}

function labelsOf(buttons: readonly ScreenButton[]): string {
  return JSON.stringify(buttons.map(({ label }) => label))
}

export function leavePalette(): void {
  if (opener?.isConnected === true) opener.focus({ preventScroll: true })
}

/** Registers the actions that every screen has. */
export function useFrameActions(role: Role): void {
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
    ...areas.filter(({ path }) => mayOpen(role, path)).map(({ path, label, keys }) => go(path, label, keys)),
    go('/own', 'My releases', ['g m']),
    {
      id: 'palette',
      label: 'search or run a command',
      group: 'Anywhere',
      keys: ['mod+k'],
      inFields: true,
      keysOnly: true,
      run: openPalette,
    },
    {
      id: 'keys',
      label: 'show keyboard shortcuts',
      group: 'Anywhere',
      keys: ['?'],
      run: () => keysSheetOpen.set(true),
    },
    {
      id: 'scheme',
      label: 'toggle light and dark theme',
      group: 'Anywhere',
      keys: ['mod+shift+l'],
      inFields: true,
      run: () => setColorScheme(dark() ? 'light' : 'dark'),
    },
    { id: 'scheme-auto', label: 'use system theme', group: 'Anywhere', run: () => setColorScheme('auto') },
    {
      id: 'region',
      label: 'focus next region',
      group: 'Anywhere',
      keys: ['F6'],
      inFields: true,
      keysOnly: true,
      run: focusNextRegion,
    },
    { id: 'sign-out', label: 'sign out', group: 'Anywhere', run: () => signOut.mutate() },
    { id: 'back', label: 'go back', group: 'Move', keys: ['['], keysOnly: true, run: () => history.back() },
    {
      id: 'forward',
      label: 'go forward',
      group: 'Move',
      keys: [']'],
      keysOnly: true,
      run: () => history.forward(),
    },
  ])
}
