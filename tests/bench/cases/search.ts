import { compare, loaded, uncached } from '../compare.ts'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, atMost, untargeted } from '../figures.ts'
import { get } from '../load.ts'
import { adjectives, shuffled, things, verbs } from '../seed.ts'

interface Search {
  term: string
  offset: number
}

const searchPath = ({ term, offset }: Search): string =>
  `/api/marketplace/skills?q=${encodeURIComponent(term)}&offset=${offset}`

const samplePaths = 100

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(to - from, 1) }, (_, index) => from + index)
const each = (terms: readonly string[], offsets: readonly number[]): Search[] =>
  terms.flatMap((term) => offsets.map((offset) => ({ term, offset })))

/** Words in a tenth of all releases, and words in all of them. */
const common = [...things, 'number', 'network', 'after the other']

/** Distinct searches, none of which has a cached response. */
const kinds: Record<string, (bench: Bench) => Search[]> = {
  'many hits': () => each(common, range(0, 200)),
  'deep offsets': ({ keys }) =>
    each(common, range(0, 200)).map(({ term, offset }) => {
      const hits = things.includes(term) ? keys.length / 10 : keys.length
      return { term, offset: Math.floor(hits * (0.5 + offset / 500)) }
    }),
  none: () =>
    each(['zebra', 'qqq', "o'clock ", '100% ', 'ünï'], [0]).flatMap(({ term }) =>
      range(0, 500).map((number) => ({ term: `${term}${number}`, offset: 0 })),
    ),
  'one letter': () => each([...'abcdefghijklmnopqrstuvwxyz0123456789-%_'], range(0, 60)),
  'two letters': () =>
    each(['ab', 'in', 'zq', 'is', 'er', 'le', 'x-', '1-', 'q1', '%_', 'ra', 'on'], range(0, 200)),
  'common words without a hit': () =>
    adjectives.flatMap((adjective) =>
      verbs.flatMap((verb) => things.map((thing) => ({ term: `${adjective} ${verb} ${thing}`, offset: 0 }))),
    ),
}

const searches = (kind: string, listOf: (bench: Bench) => Search[]): Case => ({
  goals: {
    [`search/${kind}`]: untargeted,
    [`search/${kind}, per second`]: atLeast(2000, '/s'),
    [`search/${kind}, slowest`]: atMost(15, 'ms'),
  },
  async measure(bench) {
    const paths = listOf(bench).map(searchPath)
    const sample = shuffled(paths, 1).slice(0, samplePaths)
    await bench.prepare({ paths: sample })
    const [server, bare] = [await bench.server(), await bench.bare()]
    const order = (round: number) => ({ requests: shuffled(paths, round).map((path) => get(path)) })
    const measured = await compare(
      bench,
      uncached(bench, server, order),
      loaded(bench, bare, () => ({ requests: sample.map((path) => get(path)) })),
    )
    const note = '4 at a time'
    const slowest = measured.rounds.map(({ load }) => Math.max(...load.latencies))
    return {
      [`search/${kind}`]: measured,
      [`search/${kind}, per second`]: { values: measured.rounds.map(({ perSecond }) => perSecond), note },
      [`search/${kind}, slowest`]: { values: slowest, note },
    }
  },
})

export const searchCases: readonly Case[] = Object.entries(kinds).map(([kind, listOf]) =>
  searches(kind, listOf),
)
