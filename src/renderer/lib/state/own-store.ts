import { readDraftOwner } from './storage.ts'
import { createStore } from './store.ts'
import type { Store } from './store.ts'

/** A store with a separate value for each person who signs in on this page, so that none sees the unsaved work of another. */
export function createOwnStore<T>(initial: T): Store<T> {
  const values = createStore<ReadonlyMap<string, { value: T }>>(new Map())
  return {
    get: () => (values.get().get(readDraftOwner()) ?? { value: initial }).value,
    set: (value) => values.set(new Map(values.get()).set(readDraftOwner(), { value })),
    subscribe: values.subscribe,
  }
}
