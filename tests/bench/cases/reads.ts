import { compare, compareWithBare, loaded, uncached } from '../compare.ts'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, untargeted } from '../figures.ts'
import type { Goal } from '../figures.ts'
import { get } from '../load.ts'
import { shuffled } from '../seed.ts'

/** Different paths in a round. */
const manyPaths = 20_000

/** A kind of GET request, and what it should reach. */
export interface Reads {
  goal: Goal
  pathsOf(bench: Bench, round: number): string[]
  /** Whether caches may answer. Otherwise, every path is requested once, just after a change. */
  isCached: boolean
}

const hot = (target: number, pathsOf: Reads['pathsOf']): Reads => ({
  goal: atLeast(target),
  pathsOf,
  isCached: true,
})

/** Reads of releases at random, none of them cached. */
const random = (target: number, pathOf: (name: string, version: string) => string): Reads => ({
  goal: atLeast(target),
  pathsOf: ({ keys }, round) =>
    shuffled(keys, round)
      .slice(0, manyPaths)
      .map((key) => pathOf(key.name, key.version)),
  isCached: false,
})

const api = '/api/marketplace/skills'
const releasePath = (name: string, version: string): string => `${api}/${name}/${version}`
const page = (offset: number): string => `${api}?offset=${offset}`

/** Pages from a share of the catalog on, in random order. */
const pagesFrom = ({ keys }: Bench, share: number, round: number): string[] => {
  const first = Math.floor(keys.length * share)
  return shuffled(
    Array.from({ length: Math.min(manyPaths, keys.length * 0.3) }, (_, index) => page(first + index)),
    round,
  )
}

const deepPages: Case = {
  goals: { 'catalog/deep against first': atLeast(0.9, 'of first') },
  async measure(bench) {
    const server = await bench.server()
    const pages = (share: number) =>
      uncached(bench, server, (round) => ({
        requests: pagesFrom(bench, share, round).map((path) => get(path)),
      }))
    return { 'catalog/deep against first': await compare(bench, pages(0.6), pages(0)) }
  },
}

export const reads: Readonly<Record<string, Reads>> = {
  'metadata/hot': hot(0.6, ({ keys }) =>
    keys.slice(-100).map(({ name, version }) => releasePath(name, version)),
  ),
  'metadata/random': random(0.35, releasePath),
  'metadata/manifest': random(0.35, (name, version) => `${releasePath(name, version)}/manifest`),
  'catalog/first page': hot(0.65, () => [page(0)]),
  'catalog/just after a change': {
    goal: atLeast(0.2),
    pathsOf: (bench, round) => pagesFrom(bench, 0, round),
    isCached: false,
  },
  'pages/home': hot(0.35, () => ['/']),
  'pages/catalog as Markdown': hot(0.35, () => ['/docs-markdown/site/marketplace.md']),
  'pages/random release as Markdown': random(
    0.35,
    (name, version) => `/docs-markdown/marketplace/${name}/${version}.md`,
  ),
  'pages/random release': random(0.2, (name, version) => `/skills/${name}/${version}`),
  health: { goal: untargeted, pathsOf: () => ['/api/health'], isCached: true },
}

/** Compares responses to GET requests with a bare server that sends the same bytes. */
export const readCases: readonly Case[] = [
  ...Object.entries(reads).map(([name, { goal, pathsOf, isCached }]) => ({
    goals: { [name]: goal },
    async measure(bench: Bench) {
      const sideOf = isCached ? loaded : uncached
      return { [name]: await compareWithBare(bench, (round) => pathsOf(bench, round), sideOf) }
    },
  })),
  deepPages,
]
