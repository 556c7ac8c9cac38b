import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { chordOf, createKeyMatcher, isCharacter } from './chords.ts'
import { readLocal, writeLocal } from '../state/storage.ts'
import { createStore } from '../state/store.ts'

export const actionGroups = ['Move', 'Decide', 'Look', 'Go', 'Anywhere'] as const
type ActionGroup = (typeof actionGroups)[number]

export const actionGroupTitles: Record<ActionGroup, string> = {
  Move: 'Navigation',
  Decide: 'Decisions',
  Look: 'View',
  Go: 'Go to',
  Anywhere: 'General',
}

/** A command that is available now: in the palette, in the list of keyboard shortcuts, and by its keys. */
export interface Action {
  id: string
  /** In lower case: `next release`. */
  label: string
  group: ActionGroup
  keys?: readonly string[]
  /** Whether its keys work while a field has the focus; single characters never do. */
  inFields?: boolean
  /** Listed last in the palette, such as moving by one row. */
  keysOnly?: boolean
  run(): void
}

/** The shortcut that confirms a form, also from within its fields. */
export const confirmKeys = { group: 'Decide', keys: ['mod+Enter'], inFields: true } as const

/** The shortcut that leaves a form, also from within its fields. */
export const cancelKeys = { ...confirmKeys, keys: ['Escape'] } as const

/** The shortcuts that move the selection in a list. */
export function moveActions(
  labels: Record<'next' | 'previous', string>,
  move: (step: 1 | -1) => void,
): Action[] {
  const moves = [
    { id: 'next', key: 'j', step: 1 },
    { id: 'previous', key: 'k', step: -1 },
  ] as const
  return moves.map(({ id, key, step }) => ({
    id,
    label: labels[id],
    group: 'Move',
    keys: [key],
    keysOnly: true,
    run: () => move(step),
  }))
}

const registered = new Map<symbol, readonly Action[]>()
const snapshot = createStore<readonly Action[]>([])

function publish(): void {
  snapshot.set([...registered.values()].flat())
}

/** Every action that is available now. */
export function useAllActions(): readonly Action[] {
  return useSyncExternalStore(snapshot.subscribe, snapshot.get)
}

/** Makes actions available while the calling component is on the screen. */
export function useActions(actions: readonly Action[]): void {
  const runById = useEffectEvent((id: string) => actions.find((action) => action.id === id)?.run())
  // Without the closures: when only those change, subscribers need no update.
  const visible = JSON.stringify(actions)
  // A layout effect, so that an action can be used as soon as its component is visible.
  useLayoutEffect(() => {
    const key = Symbol('actions')
    const plain = JSON.parse(visible) as Omit<Action, 'run'>[]
    registered.set(
      key,
      plain.map((action) => ({ ...action, run: () => runById(action.id) })),
    )
    publish()
    return () => {
      registered.delete(key)
      publish()
    }
  }, [visible])
}

const lettersKey = 'skilldock-single-letters'

/** Whether single-key shortcuts are enabled (WCAG 2.1.4); saved in this browser. */
export const singleLetters = createStore(readLocal(lettersKey) !== 'off')

export function setSingleLetters(on: boolean): void {
  writeLocal(lettersKey, on ? null : 'off')
  singleLetters.set(on)
}

const matcher = createKeyMatcher()

/** The character that ran an action, while its key stays pressed. */
let held: string | null = null

/** Runs the action of a pressed key. The last registered action wins, so a dialog comes before the page. */
export function handleKey(event: KeyboardEvent): void {
  if (!event.repeat) held = null
  if (event.defaultPrevented || event.isComposing) return
  const target = event.target instanceof Element ? event.target : null
  const chord = chordOf(event)
  const character = isCharacter(chord)
  // It must neither undo or decide again, nor be typed into the field that it has opened.
  if (chord === held) {
    event.preventDefault()
    return
  }
  // A dialog takes the keys as soon as it is open, even before its field has the focus, and also the one that has just
  // closed it. What it covers takes none.
  const isCovered = document.querySelector('[role="dialog"]') !== null || isWithin(target, 'dialog')
  const isTaken = isCovered || isWithin(target, 'menu')
  if (isTaken && (isCovered || chord !== 'F6') && !chord.startsWith('mod+')) return
  const typing = target !== null && isField(target)
  if (character && (typing || !singleLetters.get())) return
  if ((chord === ' ' || chord === 'Enter') && target !== null && isPressable(target)) return
  const usable = snapshot
    .get()
    .filter(({ inFields, group }) => (!typing || inFields === true) && (!isCovered || group === 'Anywhere'))
  const found = matcher.press(
    chord,
    usable.flatMap(({ keys = [] }) => keys),
    Date.now(),
  )
  if (found === null) return
  event.preventDefault()
  const action = usable.findLast(({ keys = [] }) => keys.includes(found))
  if (character && action !== undefined && action.group !== 'Move') held = chord
  action?.run()
}

const isWithin = (element: Element | null, role: string): boolean =>
  element !== null && element.closest(`[role="${role}"]`) !== null

function isField(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(element.type)
  return (
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLElement && element.isContentEditable)
  )
}

function isPressable(element: Element): boolean {
  return element.closest('button, a[href], summary, input, [role="menuitem"], [role="option"]') !== null
}
