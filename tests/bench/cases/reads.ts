import { compare, compareWithBare, loaded, uncached } from '../compare.ts'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, untargeted } from '../figures.ts'
import type { Goal } from '../figures.ts'
import { get } from '../load.ts'
import { shuffled } from '../seed.ts'

/** Different paths in a round. */
const manyPaths = 20_000

/** Compares responses to GET requests with a bare server that sends the same bytes. */
const reads = (
  name: string,
  goal: Goal,
  pathsOf: (bench: Bench, round: number) => string[],
  loadedWith = loaded,
): Case => ({
  goals: { [name]: goal },
  async measure(bench) {
    return { [name]: await compareWithBare(bench, (round) => pathsOf(bench, round), loadedWith) }
  },
})

/** Reads of releases at random, none of them cached. */
const randomReads = (name: string, goal: Goal, pathOf: (name: string, version: string) => string): Case =>
  reads(
    name,
    goal,
    ({ keys }, round) =>
      shuffled(keys, round)
        .slice(0, manyPaths)
        .map((key) => pathOf(key.name, key.version)),
    uncached,
  )

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

export const readCases: readonly Case[] = [
  reads('metadata/hot', atLeast(0.6), ({ keys }) =>
    keys.slice(-100).map(({ name, version }) => releasePath(name, version)),
  ),
  randomReads('metadata/random', atLeast(0.35), releasePath),
  randomReads(
    'metadata/manifest',
    atLeast(0.35),
    (name, version) => `${releasePath(name, version)}/manifest`,
  ),
  reads('catalog/first page', atLeast(0.65), () => [page(0)]),
  reads('catalog/just after a change', atLeast(0.2), (bench, round) => pagesFrom(bench, 0, round), uncached),
  deepPages,
  reads('pages/home', atLeast(0.35), () => ['/']),
  reads('pages/catalog as Markdown', atLeast(0.35), () => ['/docs-markdown/site/marketplace.md']),
  randomReads(
    'pages/random release as Markdown',
    atLeast(0.35),
    (name, version) => `/docs-markdown/marketplace/${name}/${version}.md`,
  ),
  randomReads('pages/random release', atLeast(0.2), (name, version) => `/skills/${name}/${version}`),
  reads('health', untargeted, () => ['/api/health']),
]
