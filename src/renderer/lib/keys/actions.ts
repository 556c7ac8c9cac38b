import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { chordOf, createKeyMatcher, isCharacter } from './keys.ts'
import { readLocal, writeLocal } from '../state/storage.ts'
import { createStore } from '../state/store.ts'

export const actionGroups = ['Move', 'Decide', 'Look', 'Go', 'Anywhere'] as const
export type ActionGroup = (typeof actionGroups)[number]

/** Something that a person can do here and now: it is in the palette, on the sheet of keys, and on its keys. */
export interface Action {
  id: string
  /** In lower case, as on the sheet of keys: `next release`. */
  label: string
  group: ActionGroup
  keys?: readonly string[]
  /** Its keys work while a field has the focus; characters never do. */
  inFields?: boolean
  /** Stands last in the palette: moving by one row is seldom looked up. */
  keysOnly?: boolean
  run(): void
}

const registered = new Map<symbol, readonly Action[]>()
const snapshot = createStore<readonly Action[]>([])

function publish(): void {
  snapshot.set([...registered.values()].flat())
}

/** Every action of what is on the screen. */
export function useAllActions(): readonly Action[] {
  return useSyncExternalStore(snapshot.subscribe, snapshot.get)
}

/** Makes actions available while the calling component is on the screen. */
export function useActions(actions: readonly Action[]): void {
  const runById = useEffectEvent((id: string) => actions.find((action) => action.id === id)?.run())
  // What can be seen of them; when only a closure changes, nothing has to be told to anybody.
  const visible = JSON.stringify(actions)
  // With what is on the screen, not after it: whoever sees a thing can press its key.
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

/** Whether single letters act (WCAG 2.1.4); kept on this computer. */
export const singleLetters = createStore(readLocal(lettersKey) !== 'off')

export function setSingleLetters(on: boolean): void {
  writeLocal(lettersKey, on ? null : 'off')
  singleLetters.set(on)
}

const matcher = createKeyMatcher()

/** Runs the action of a pressed key. The last registered wins, so that what is open goes before the page. */
export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const target = event.target instanceof Element ? event.target : null
  const chord = chordOf(event)
  const character = isCharacter(chord)
  // A dialog has the keys from the moment it is there, even before its field has the focus.
  const taken = document.querySelector('[role="dialog"]') !== null || target?.closest('[role="menu"]')
  if (taken && chord !== 'F6' && !chord.startsWith('mod+')) return
  const typing = target !== null && isField(target)
  if (character && (typing || !singleLetters.get())) return
  if ((chord === ' ' || chord === 'Enter') && target !== null && isPressable(target)) return
  const usable = snapshot.get().filter((action) => !typing || action.inFields === true)
  const found = matcher.press(
    chord,
    usable.flatMap(({ keys = [] }) => keys),
    Date.now(),
  )
  if (found === null) return
  event.preventDefault()
  if (found !== 'waiting') usable.findLast(({ keys = [] }) => keys.includes(found))?.run()
}

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
