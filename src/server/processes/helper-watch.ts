import type { HelperKind } from '../../shared/services-messages.ts'
import type { HelperProcess } from './helper-process.ts'

/** The kinds without which no upload can be checked. An agent project that cannot be read hinders no upload. */
const uploadKinds = ['modules', 'pictures'] as const satisfies HelperKind[]
type UploadKind = (typeof uploadKinds)[number]

type StartHelper = (kind: UploadKind) => HelperProcess

export interface HelperWatch {
  /** Starts a process and notes whether it comes to work. */
  start: StartHelper
  /** Resolves with null, or with a sentence about the kind that cannot be started. Starts one only where that is in doubt. */
  check(): Promise<string | null>
}

/** Milliseconds for which a process that came to work stands for the next one. */
const provenMs = 300_000
/** Milliseconds after the start of the server, which has other work first. */
const firstTryMs = 10_000
/** Milliseconds that a process may take until it is ready. */
const readyMs = 25_000

const purpose: Record<UploadKind, string> = { modules: 'modules', pictures: 'images' }

/** Knows whether processes that look into uploads can be started. */
export function watchHelpers(startHelper: StartHelper): HelperWatch {
  /** When a process of a kind was last ready, by `performance.now()`; null where the last one ended before. */
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
      // That it was not ready yet is then nobody's fault.
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
    start: (kind) => watch(kind).helper,
    async check() {
      const results = await Promise.all(uploadKinds.map(canStart))
      const failed = uploadKinds.filter((_, index) => results[index] === false)
      if (failed.length === 0) return null
      const what = failed.map((kind) => purpose[kind]).join(' and ')
      return `The processes that check ${what} cannot be started. Look up the reason in the server's log, and restart it.`
    },
  }
}
