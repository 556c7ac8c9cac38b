import { corruptValueChannel } from '../db/stored-text.ts'
import type { CorruptValue } from '../db/stored-text.ts'
import type { Logger } from './logging.ts'

/** Values that are told of; a folder with more has no use for a longer list. */
const mostValues = 200

/** Stored values that nobody could read since the start: each is logged once, and listed for diagnostics. */
export interface CorruptValues {
  list(): CorruptValue[]
  end(): void
}

export function watchCorruptValues(log: Logger): CorruptValues {
  const known = new Map<string, CorruptValue>()
  const note = (message: unknown): void => {
    const value = message as CorruptValue
    const key = `${value.place} ${value.id}`
    if (known.has(key) || known.size >= mostValues) return
    known.set(key, value)
    log.error(value, 'a stored value is damaged and is left out; "skilldock verify" names all of them')
  }
  corruptValueChannel.subscribe(note)
  return {
    list: () => [...known.values()],
    end() {
      corruptValueChannel.unsubscribe(note)
    },
  }
}
