import { readSession, writeSession } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Unsent texts by key. They stay in this tab until sent, even after a reload. */
interface TextDrafts {
  read(key: string): string
  /** An empty text removes the draft. */
  write(key: string, text: string): void
  /** Like `read`, and re-renders the calling component when any draft changes. */
  use(): (key: string) => string
}

/** Drafts whose storage keys begin with `prefix`. */
export function createTextDrafts(prefix: string): TextDrafts {
  const written = createStore<ReadonlyMap<string, string>>(new Map())
  const read = (key: string): string => written.get().get(key) ?? readSession(prefix + key) ?? ''
  return {
    read,
    write(key, text) {
      writeSession(prefix + key, text === '' ? null : text)
      written.set(new Map(written.get()).set(key, text))
    },
    use() {
      useStore(written)
      return read
    },
  }
}
