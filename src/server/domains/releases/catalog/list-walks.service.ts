import { setImmediate as nextTurn } from 'node:timers/promises'
import { DomainError } from '../../../../shared/errors.ts'
import { texts } from '../releases.texts.ts'
import type { ReadStep } from './walk-steps.repository.ts'

/** A list whose members can only be found by scanning candidates. */
export interface WalkedList {
  /** Identifies the list. */
  key: string
  step: ReadStep
}

interface Walk {
  generation: number
  ids: number[]
  next: number | null
  step: ReadStep
}

export interface WalkSlots {
  /** Throws TOO_MANY_REQUESTS. The returned function releases the slot. */
  take(client: string): () => void
}

/** Candidates per step, which takes a few milliseconds. The first step is enough for nearly every page. */
const firstCandidates = 256
const furtherCandidates = 2048

/** Limits of the cache of all walks. An id takes at most 8 bytes. */
const maxCachedIds = 1_000_000
const maxCachedWalks = 1000

/** How many times a walk is attempted if its list keeps changing. */
const attempts = 3

/**
 * Finds pages, at any depth, of lists that have no index. The first step is synchronous and is nearly always enough.
 * Longer walks need a slot each, and all of them together take one step per turn of the event loop. Walks are cached
 * for one generation of the lists, so that the next page continues where the last one ended.
 */
export function createListWalks(generation: () => number, slots: WalkSlots) {
  const walks = new Map<string, Walk>()
  let cachedIds = 0
  let turn: Promise<unknown> = Promise.resolve()

  const forget = (key: string, { ids }: Walk): void => {
    walks.delete(key)
    cachedIds -= ids.length
  }

  /** The current walk through a list. The least recently used walk is evicted first. */
  const walkOf = ({ key, step }: WalkedList): Walk => {
    const now = generation()
    const known = walks.get(key)
    if (known !== undefined) forget(key, known)
    const walk =
      known?.generation === now ? known : { generation: now, ids: [], next: Number.MAX_SAFE_INTEGER, step }
    walks.set(key, walk)
    cachedIds += walk.ids.length
    return walk
  }

  const advance = (list: WalkedList, walk: Walk, candidates: number): void => {
    if (walk.next === null) return
    const { ids, next, rest = walk.step } = walk.step(walk.next, candidates)
    for (const id of ids) walk.ids.push(id)
    walk.next = next
    walk.step = rest
    if (walks.get(list.key) === walk) cachedIds += ids.length
    for (const [key, oldest] of walks) {
      if (cachedIds <= maxCachedIds && walks.size <= maxCachedWalks) break
      forget(key, oldest)
    }
  }

  const reaches = (walk: Walk, end: number): boolean => walk.next === null || walk.ids.length >= end

  const continueWalk = async (
    list: WalkedList,
    client: string,
    offset: number,
    end: number,
  ): Promise<number[]> => {
    const release = slots.take(client)
    try {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const walk = walkOf(list)
        while (!reaches(walk, end)) {
          turn = turn.then(() => nextTurn())
          // Each step continues after the previous one.
          await turn
          advance(list, walk, furtherCandidates)
        }
        if (walk.generation === generation()) return walk.ids.slice(offset, end)
      }
    } finally {
      release()
    }
    throw new DomainError('TOO_MANY_REQUESTS', texts.catalog.changed, { retryAfter: 1 })
  }

  return {
    /** Up to `limit` ids starting at `offset`. Throws TOO_MANY_REQUESTS for a client with too many long walks. */
    find(list: WalkedList, client: string, offset: number, limit: number): number[] | Promise<number[]> {
      const walk = walkOf(list)
      const end = offset + limit
      if (!reaches(walk, end)) advance(list, walk, firstCandidates)
      return reaches(walk, end) ? walk.ids.slice(offset, end) : continueWalk(list, client, offset, end)
    },
  }
}
