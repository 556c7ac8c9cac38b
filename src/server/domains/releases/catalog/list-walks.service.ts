import { setImmediate as nextTurn } from 'node:timers/promises'
import { DomainError } from '../../../../shared/errors.ts'

/** What one short query finds of a list. */
export interface WalkStep {
  /** In the order of the list. */
  ids: number[]
  /** The last id that was looked at, after which the next step continues; null at the end of the list. */
  next: number | null
}

/** A list whose members are only found by looking at candidates one after the other. */
export interface WalkedList {
  /** Tells lists apart. */
  key: string
  /** Looks at up to `candidates` rows that follow `after`, which is larger than every id at the start of the list. */
  step(after: number, candidates: number): WalkStep
}

interface Walk {
  generation: number
  ids: number[]
  next: number | null
}

export interface WalkSlots {
  /** Throws TOO_MANY_REQUESTS; the returned function frees the slot. */
  take(client: string): () => void
}

/** Candidates of the first step, which fill nearly every page, and of each further one: a few milliseconds. */
const firstCandidates = 256
const furtherCandidates = 2048

/** Ids that are remembered, of all walks together; 8 bytes each at most. */
const rememberedIds = 1_000_000
const rememberedWalks = 1000

/** How often a walk starts over because its list has changed. */
const attempts = 3

/**
 * Finds pages of lists that no index holds, however deep they are. The first step is taken at once and is enough for
 * nearly all; longer walks take one step in each turn of the event loop, all of them together, and each needs a slot. What
 * was walked is remembered for one generation of the lists, so that the next page goes on where the last one ended.
 */
export function createListWalks(generation: () => number, slots: WalkSlots) {
  const walks = new Map<string, Walk>()
  let remembered = 0
  let turn: Promise<unknown> = Promise.resolve()

  const forget = (key: string, { ids }: Walk): void => {
    walks.delete(key)
    remembered -= ids.length
  }

  /** The walk through a list, as far as it has come; the least recently used one is forgotten first. */
  const walkOf = ({ key }: WalkedList): Walk => {
    const now = generation()
    const known = walks.get(key)
    if (known !== undefined) forget(key, known)
    const walk =
      known?.generation === now ? known : { generation: now, ids: [], next: Number.MAX_SAFE_INTEGER }
    walks.set(key, walk)
    remembered += walk.ids.length
    return walk
  }

  const advance = (list: WalkedList, walk: Walk, candidates: number): void => {
    if (walk.next === null) return
    const { ids, next } = list.step(walk.next, candidates)
    for (const id of ids) walk.ids.push(id)
    walk.next = next
    if (walks.get(list.key) === walk) remembered += ids.length
    for (const [key, oldest] of walks) {
      if (remembered <= rememberedIds && walks.size <= rememberedWalks) break
      forget(key, oldest)
    }
  }

  const reaches = (walk: Walk, end: number): boolean => walk.next === null || walk.ids.length >= end

  const goOn = async (list: WalkedList, client: string, offset: number, end: number): Promise<number[]> => {
    const leave = slots.take(client)
    try {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const walk = walkOf(list)
        while (!reaches(walk, end)) {
          turn = turn.then(() => nextTurn())
          // Each step needs the end of the one before.
          // oxlint-disable-next-line no-await-in-loop
          await turn
          advance(list, walk, furtherCandidates)
        }
        if (walk.generation === generation()) return walk.ids.slice(offset, end)
      }
    } finally {
      leave()
    }
    throw new DomainError('TOO_MANY_REQUESTS', 'The list is changing too fast. Try again in 1 s.', {
      retryAfter: 1,
    })
  }

  return {
    /** At most `limit` ids from `offset` on, as of this moment. Throws TOO_MANY_REQUESTS for a client with too many long walks. */
    find(list: WalkedList, client: string, offset: number, limit: number): number[] | Promise<number[]> {
      const walk = walkOf(list)
      const end = offset + limit
      if (!reaches(walk, end)) advance(list, walk, firstCandidates)
      return reaches(walk, end) ? walk.ids.slice(offset, end) : goOn(list, client, offset, end)
    },
  }
}
