import { readDraftOwner } from './storage.ts'
import { createStore } from './store.ts'
import type { Store } from './store.ts'

/** A store with a value for each person who signs in on this page: what one of them has not saved is not the next one's. */
export function createOwnStore<T>(initial: T): Store<T> {
  const values = createStore<ReadonlyMap<string, { value: T }>>(new Map())
  return {
    get: () => (values.get().get(readDraftOwner()) ?? { value: initial }).value,
    set: (value) => values.set(new Map(values.get()).set(readDraftOwner(), { value })),
    subscribe: values.subscribe,
  }
}
