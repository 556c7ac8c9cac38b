import { compare, loaded } from '../compare.ts'
import type { Case, Side } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atLeast, untargeted } from '../figures.ts'
import type { Goal } from '../figures.ts'
import { get } from '../load.ts'
import type { Running } from '../processes.ts'
import { shuffled } from '../seed.ts'
import type { Seeded } from '../seed.ts'

type Key = Seeded['keys'][number]

/** More paths than any cache holds, and than are requested in one round. */
const manyPaths = 20_000
/** Paths for which the peer holds the bytes; a page of the catalog has 131 KB. */
const samplePaths = 100
/** Pages of one round just after a change. */
const uncachedPaths = 2000

const releasePath = ({ name, version }: Key): string => `/api/marketplace/skills/${name}/${version}`
const pagePath = (offset: number): string => `/api/marketplace/skills?offset=${offset}`

/** Compares responses to GET requests with a bare server that sends the same bytes. */
const reads = (name: string, goal: Goal, pathsOf: (bench: Bench, round: number) => string[]): Case => ({
  goals: { [name]: goal },
  async measure(bench) {
    const sample = pathsOf(bench, 1).slice(0, samplePaths)
    await bench.prepare({ paths: sample })
    const ours = loaded(bench, await bench.server(), (round) => ({
      requests: pathsOf(bench, round).map((path) => get(path)),
    }))
    const peer = loaded(bench, await bench.bare(), () => ({ requests: sample.map((path) => get(path)) }))
    return { [name]: await compare(bench, ours, peer) }
  },
})

const newest = ({ keys }: Bench): Key[] => keys.slice(-100)
const random = ({ keys }: Bench, round: number): Key[] => shuffled(keys, round + 1).slice(0, manyPaths)

/** Requests pages from an offset on, each once and just after a change of the catalog, so that none is cached. */
const uncachedPages = (bench: Bench, running: Running, from: number): Side => {
  const paths = Array.from({ length: Math.floor(bench.keys.length / 3) }, (_, index) =>
    pagePath(from + index),
  )
  const { work } = loaded(bench, running, (round) => ({
    requests: shuffled(paths.slice(0, uncachedPaths), round).map((path) => get(path)),
    isRepeated: false,
  }))
  return {
    running,
    work(round) {
      bench.change()
      return work(round)
    },
  }
}

const changedCatalog: Case = {
  goals: {
    'catalog/just after a change': atLeast(0.2),
    'catalog/deep against first': atLeast(0.9, 'of first'),
  },
  async measure(bench) {
    const [server, bare] = [await bench.server(), await bench.bare()]
    const sample = Array.from({ length: samplePaths }, (_, offset) => pagePath(offset))
    await bench.prepare({ paths: sample })
    const first = uncachedPages(bench, server, 0)
    const deep = uncachedPages(bench, server, Math.floor(bench.keys.length * 0.6))
    const peer = loaded(bench, bare, () => ({ requests: sample.map((path) => get(path)) }))
    return {
      'catalog/just after a change': await compare(bench, first, peer),
      'catalog/deep against first': await compare(bench, deep, first),
    }
  },
}

export const readCases: readonly Case[] = [
  reads('metadata/hot', atLeast(0.6), (bench) => newest(bench).map(releasePath)),
  reads('metadata/random', atLeast(0.35), (bench, round) => random(bench, round).map(releasePath)),
  reads('metadata/manifest', atLeast(0.35), (bench, round) =>
    random(bench, round).map((key) => `${releasePath(key)}/manifest`),
  ),
  reads('catalog/first page', atLeast(0.65), () => [pagePath(0)]),
  changedCatalog,
  reads('pages/home', atLeast(0.35), () => ['/']),
  reads('pages/catalog as Markdown', atLeast(0.35), () => ['/docs-markdown/site/marketplace.md']),
  reads('pages/random release as Markdown', atLeast(0.35), (bench, round) =>
    random(bench, round).map(({ name, version }) => `/docs-markdown/marketplace/${name}/${version}.md`),
  ),
  reads('pages/random release', atLeast(0.2), (bench, round) =>
    random(bench, round).map(({ name, version }) => `/skills/${name}/${version}`),
  ),
  reads('health/health', untargeted, () => ['/api/health']),
]
