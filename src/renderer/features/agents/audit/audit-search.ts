import type { AuditPage, AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { createStore } from '../../../lib/state/store.ts'
import type { Store } from '../../../lib/state/store.ts'

/** What a search has found so far. */
export interface AuditFound {
  rows: readonly AuditRow[]
  /** The newest row when it began; it has gone down to `at`. Null before the first answer. */
  top: number | null
  /** Null: through all rows. */
  at: number | null
  state: 'searching' | 'resting' | 'cancelled' | 'done' | 'failed'
  error: unknown
  /** The last answer, for what it says beside the rows. */
  page: AuditPage | null
}

export interface AuditSearch {
  found: Store<AuditFound>
  /** Goes on until there are so many rows. */
  want(rows: number): void
  cancel(): void
  goOn(): void
  end(): void
}

type ReadPart = (place: { before?: number; top?: number }, signal: AbortSignal) => Promise<AuditPage>

export const nothingFound: AuditFound = {
  rows: [],
  top: null,
  at: null,
  state: 'searching',
  error: null,
  page: null,
}

/** Looks through the audit from the newest row on, part by part, as far as rows are wanted. */
export function createAuditSearch(read: ReadPart, first: number): AuditSearch {
  const found = createStore(nothingFound)
  let wanted = first
  let running: AbortController | null = null

  const set = (change: Partial<AuditFound>): void => found.set({ ...found.get(), ...change })

  const run = async (signal: AbortSignal): Promise<void> => {
    while (found.get().rows.length < wanted) {
      const { top, at, rows } = found.get()
      // Each part begins where the one before has ended.
      // oxlint-disable-next-line no-await-in-loop
      const page = await read(
        { ...(at === null ? {} : { before: at }), ...(top === null ? {} : { top }) },
        signal,
      )
      if (signal.aborted) return
      set({ rows: [...rows, ...page.items], top: top ?? page.top, at: page.older, page })
      if (page.older === null) return set({ state: 'done' })
    }
    set({ state: 'resting' })
  }

  const start = (): void => {
    if (running !== null || found.get().state === 'done') return
    const control = new AbortController()
    running = control
    set({ state: 'searching', error: null })
    run(control.signal)
      .catch((error: unknown) => {
        if (!control.signal.aborted) set({ state: 'failed', error })
      })
      .finally(() => {
        if (running === control) running = null
      })
  }
  const stop = (): void => {
    running?.abort()
    running = null
  }

  return {
    found,
    want(rows) {
      wanted = Math.max(wanted, rows)
      const { state } = found.get()
      if (running === null && state !== 'cancelled' && state !== 'failed' && found.get().rows.length < wanted)
        start()
    },
    cancel() {
      if (found.get().state !== 'searching') return
      stop()
      set({ state: 'cancelled' })
    },
    goOn: start,
    end: stop,
  }
}

/** How much of the audit has been looked through, from 0 to 1; null while that is not known. */
export function searchedPart({ state, top, at, page }: AuditFound): number | null {
  if (state === 'done') return 1
  const firstId = page?.summary.firstId ?? null
  if (top === null || at === null || firstId === null || top <= firstId) return null
  return Math.max(0, Math.min(1, (top - at + 1) / (top - firstId + 1)))
}
