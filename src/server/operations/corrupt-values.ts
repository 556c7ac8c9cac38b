import { corruptValueChannel } from '../db/stored-text.ts'
import type { CorruptValue } from '../db/stored-text.ts'
import type { Logger } from './logging.ts'
import { logTexts } from './log.texts.ts'

/** Maximum number of reported values; with more damage, a longer list doesn't help. */
const maxValues = 200

/** Stored values found unreadable since the start. Each is logged once and listed in diagnostics. */
export function watchCorruptValues(log: Logger) {
  const known = new Map<string, CorruptValue>()
  const note = (message: unknown): void => {
    const value = message as CorruptValue
    const key = `${value.place} ${value.id}`
    if (known.has(key) || known.size >= maxValues) return
    known.set(key, value)
    log.error(value, logTexts.damagedValue)
  }
  corruptValueChannel.subscribe(note)
  return {
    list: (): CorruptValue[] => [...known.values()],
    end(): void {
      corruptValueChannel.unsubscribe(note)
    },
  }
}

export type CorruptValues = ReturnType<typeof watchCorruptValues>
