import { draftKey, readSession, writeSession } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** Unsent texts of the signed-in person by key. They stay in this tab until sent, even after a reload. */
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
  const read = (key: string): string => {
    const name = draftKey(prefix, key)
    return written.get().get(name) ?? readSession(name) ?? ''
  }
  return {
    read,
    write(key, text) {
      const name = draftKey(prefix, key)
      writeSession(name, text === '' ? null : text)
      written.set(new Map(written.get()).set(name, text))
    },
    use() {
      useStore(written)
      return read
    },
  }
}
