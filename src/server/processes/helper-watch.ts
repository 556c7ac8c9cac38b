import type { HelperKind } from '../../shared/services-messages.ts'
import type { HelperProcess } from './helper-process.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'

/** The kinds that uploads need; `agents` is not among them. */
const uploadKinds = ['modules', 'images'] as const satisfies HelperKind[]
type UploadKind = (typeof uploadKinds)[number]

type StartHelper = (kind: UploadKind) => HelperProcess

/** Milliseconds for which a process that became ready proves that the next one will. */
const provenMs = 300_000
/** Milliseconds after the start of the server before the first test, since the server has other work first. */
const firstTryMs = 10_000
/** Milliseconds within which a process must be ready. */
const readyMs = 25_000

/** Keeps track of whether the helper processes for uploads can be started. */
export function watchHelpers(startHelper: StartHelper) {
  /** When a process of a kind last became ready, by `performance.now()`; null if the latest one didn't. */
  const readyAt = new Map<UploadKind, number | null>()

  const watchedFrom = performance.now()

  const watch = (kind: UploadKind): { helper: HelperProcess; decided: Promise<void> } => {
    const decided = Promise.withResolvers<void>()
    const decide = (at: number | null): void => {
      readyAt.set(kind, at)
      decided.resolve()
    }
    let helper: HelperProcess
    try {
      helper = startHelper(kind)
    } catch (error) {
      decide(null)
      throw error
    }
    let isOver = false
    const limit = setTimeout(() => end(null), readyMs).unref()
    const end = (at: number | null): void => {
      if (isOver) return
      isOver = true
      clearTimeout(limit)
      decide(at)
    }
    helper.onMessage(() => end(performance.now()))
    helper.onExit(() => end(null))
    const kill = (): void => {
      // A process that is killed before it was ready doesn't count as a failure.
      if (!isOver) clearTimeout(limit)
      isOver = true
      helper.kill()
    }
    return { helper: { ...helper, kill }, decided: decided.promise }
  }

  const canStart = async (kind: UploadKind): Promise<boolean> => {
    const at = readyAt.get(kind) ?? null
    if (!readyAt.has(kind) && performance.now() - watchedFrom < firstTryMs) return true
    if (at !== null && performance.now() - at < provenMs) return true
    const { helper, decided } = watch(kind)
    await decided
    helper.kill()
    return (readyAt.get(kind) ?? null) !== null
  }

  return {
    /** Starts a process and records whether it becomes ready. */
    start: (kind: UploadKind): HelperProcess => watch(kind).helper,
    /**
     * Resolves with null, or with a message about kinds that can't be started. Starts a process only in case of doubt.
     */
    async check(): Promise<string | null> {
      const results = await Promise.all(uploadKinds.map(canStart))
      const failed = uploadKinds.filter((_, index) => results[index] === false)
      if (failed.length === 0) return null
      const what = failed.join(' and ')
      return unavailableTexts.helpers(what)
    },
  }
}
