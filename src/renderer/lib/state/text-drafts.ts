import { readSession, writeSession } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Texts that are being written, by key. They stay in this tab until they are sent, also over a reload. */
export interface TextDrafts {
  read(key: string): string
  /** An empty text is forgotten. */
  write(key: string, text: string): void
  /** As `read`, and renders the calling component again when any of them changes. */
  use(): (key: string) => string
}

/** Drafts whose keys in the tab's storage begin with `prefix`. */
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
