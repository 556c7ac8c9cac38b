import { maxOffset } from '../../../src/shared/contracts/common.ts'
import { compareWithBare, uncached } from '../compare.ts'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, atMost, untargeted } from '../figures.ts'
import { adjectives, shuffled, things, verbs } from '../seed.ts'

const searchPath = (term: string, offset: number): string =>
  `/api/marketplace/skills?q=${encodeURIComponent(term)}&offset=${offset}`

/** Each term at this many offsets, of which `offsetOf` returns one. */
const each = (
  terms: readonly string[],
  offsets: number,
  offsetOf = (index: number, _term: string): number => index,
): string[] =>
  terms.flatMap((term) =>
    Array.from({ length: offsets }, (_, index) => searchPath(term, Math.floor(offsetOf(index, term)))),
  )

/** Words in a tenth of all releases, and words in all of them. */
const common = [...things, 'number', 'network', 'after the other']

/** Different searches. */
export const searches: Record<string, (bench: Bench) => string[]> = {
  'many hits': () => each(common, 200),
  'deep offsets': ({ keys }) =>
    each(common, 200, (index, term) => {
      const hits = things.includes(term) ? keys.length / 10 : keys.length
      return Math.min(hits, maxOffset) * (0.5 + index / 500)
    }),
  none: () =>
    ['zebra', 'qqq', "o'clock ", '100% ', 'ünï'].flatMap((term) =>
      Array.from({ length: 500 }, (_, number) => searchPath(`${term}${number}`, 0)),
    ),
  'one letter': () => each([...'abcdefghijklmnopqrstuvwxyz0123456789-%_'], 60),
  'two letters': () => each(['ab', 'in', 'zq', 'is', 'er', 'le', 'x-', '1-', 'q1', '%_', 'ra', 'on'], 200),
  'common words without a hit': () =>
    adjectives.flatMap((adjective) =>
      verbs.flatMap((verb) => things.map((thing) => searchPath(`${adjective} ${verb} ${thing}`, 0))),
    ),
}

const searchCase = (kind: string, listPaths: (bench: Bench) => string[]): Case => ({
  goals: {
    [`search/${kind}`]: untargeted,
    [`search/${kind}, per second`]: atLeast(2000, '/s'),
    [`search/${kind}, slowest`]: atMost(15, 'ms'),
  },
  async measure(bench) {
    const measured = await compareWithBare(bench, (round) => shuffled(listPaths(bench), round), uncached)
    const perSecond = measured.rounds.map((round) => round.perSecond)
    const slowest = measured.rounds.map(({ load }) => Math.max(...load.latencies))
    const note = '4 at a time'
    return {
      [`search/${kind}`]: measured,
      [`search/${kind}, per second`]: { values: perSecond, note },
      [`search/${kind}, slowest`]: { values: slowest, note },
    }
  },
})

export const searchCases: readonly Case[] = Object.entries(searches).map(([kind, listPaths]) =>
  searchCase(kind, listPaths),
)
