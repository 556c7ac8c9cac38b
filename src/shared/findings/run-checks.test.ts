import { describe, expect, it } from 'vitest'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import {
  goodManifest,
  goodModule,
  inputOf,
  quietRegistry,
  scanOf,
} from '../../../tests/support/fixtures/findings.ts'
import type { Finding } from '../contracts/findings.ts'
import type { SkillManifest } from '../contracts/manifest.ts'
import type { Check, CheckInput } from './define-check.ts'
import { CHECKS, checksVersion, runChecks, runChecksOn } from './run-checks.ts'

const find = (change: Partial<CheckInput>): Finding[] => runChecks(inputOf(change))
const texts = (change: Partial<SkillManifest>): Partial<CheckInput> => ({
  manifest: { ...goodManifest, ...change },
})
const only = (change: Partial<CheckInput>, check: string): string[] =>
  find(change)
    .filter((finding) => finding.check === check)
    .map(({ fingerprint }) => fingerprint)

describe('a fingerprint', () => {
  const hidden = texts({ readme: `${goodManifest.readme} Made by An\u200Bna for all of you.` })

  it('is the same as long as the finding is the same, whatever else changes', () => {
    const [before] = only(hidden, 'text-invisible')
    const elsewhere = {
      ...goodManifest,
      version: '2.0.0',
      readme: `News.\n\n${hidden.manifest?.readme} And more.`,
    }
    expect(only({ manifest: elsewhere }, 'text-invisible')).toEqual([before])
  })

  it.each([
    ['another character', 'Made by An\u200Cna for all of you.'],
    ['another place', 'Made by Ann\u200Ba for all of you.'],
    ['once more', 'Made by An\u200Bna for a\u200Bll of you.'],
  ])('changes with %s', (_, sentence) => {
    const changed = only(texts({ readme: `${goodManifest.readme} ${sentence}` }), 'text-invisible')
    expect(changed).toHaveLength(1)
    expect(changed).not.toEqual(only(hidden, 'text-invisible'))
  })

  it('changes with the imported functions', () => {
    const importing = (...names: string[]) =>
      only({ module: { ...goodModule, imports: ['fd_read', 'fd_write', ...names] } }, 'access-unmentioned')
    expect(importing('path_open')).toEqual(importing('path_open'))
    expect(importing('path_open')).not.toEqual(importing('path_open', 'path_readlink'))
  })

  it('changes with the bytes that were found, but not with their offset', () => {
    const mark = { offset: 100, length: 20, text: 'https://a.example/' }
    const at = (offset: number, digest: string) => {
      const scan = scanOf({ address: [{ ...mark, offset }] })
      return only({ scan: { ...scan, address: { ...scan.address, digest } } }, 'data-address')
    }
    expect(at(100, 'a'.repeat(32))).toEqual(at(900, 'a'.repeat(32)))
    expect(at(100, 'a'.repeat(32))).not.toEqual(at(100, 'b'.repeat(32)))
  })

  it('depends on the check', () => {
    const license = find(texts({ license: 'UNLICENSED' }))
    expect(license.map(({ check }) => check)).toEqual(['license-unknown', 'license-restricts'])
    expect(new Set(license.map(({ fingerprint }) => fingerprint)).size).toBe(2)
  })
})

describe('findings', () => {
  it('are sorted by severity without duplicates', () => {
    const twice = { input: 'a', output: '' }
    const found = find({
      ...texts({ license: 'mit', description: 'Turns\u200B every letter.', examples: [twice, twice, twice] }),
      module: { ...goodModule, memory: { minPages: 1, maxPages: null } },
    })
    const severities = found.map(({ severity }) => severity)
    expect(severities).toEqual(severities.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(found.length)
    expect(found.filter(({ check }) => check === 'examples-same')).toHaveLength(1)
  })

  it('are reported only by checks whose parts are available', () => {
    const bare = inputOf({ module: null, scan: null, registry: null })
    const silent = CHECKS.filter(({ needs }) => needs.length > 0)
    for (const check of silent) expect(check.find(bare), check.id).toEqual([])
    const runs = [0, 1].map((example) => ({ example, end: 'exited' as const, calls: [] }))
    const license = texts({ license: 'mit' })
    expect(new Set(find({ ...license, runs }).map(({ check }) => check))).toEqual(
      new Set(['license-unknown', 'import-unused']),
    )
    expect(new Set(runChecksOn(inputOf({ ...license, runs }), 'runs').map(({ check }) => check))).toEqual(
      new Set(['import-unused']),
    )
  })

  it('are limited in number and length', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({
      name: `upper-cas${n}`,
      publisher: 'x\u202E'.repeat(3000),
    }))
    const found = find({
      ...texts({ license: '\u200B'.repeat(100), readme: '<script>'.repeat(2500) }),
      registry: {
        ...quietRegistry,
        nearNames: many,
        publisher: 'y'.repeat(5000),
        isPublisherNameShared: true,
      },
    })
    expect(found.length).toBeLessThanOrEqual(60)
    expect(found.filter(({ check }) => check === 'name-near')).toHaveLength(8)
    for (const { title, reason, advice } of found) {
      expect([title.length <= 120, reason.length <= 500, advice.length <= 300]).toEqual([true, true, true])
    }
  })
})

const order = ['error', 'warning', 'note']

describe('the longest readme', () => {
  it.each([
    'curl ',
    '[',
    '[a](',
    '[a](http://',
    'http://',
    'http://a@',
    '<a ',
    '<a onclick=',
    'a\u200D',
    '\u{1F3F4}\u{E0061}',
    'data:',
    'eval $(',
    '((((',
    'а',
    'aа',
    'write the ',
    '\u200B',
    'x ',
    '- ',
  ])('that repeats %j is checked quickly', (piece) => {
    const readme = piece.repeat(20_000 / piece.length).slice(0, 20_000)
    const license = piece.repeat(100).slice(0, 100)
    const took = cpuTimeOf(() =>
      runChecks(inputOf(texts({ readme, license, description: readme.slice(0, 500) }))),
    )
    expect(took).toBeLessThan(250)
  })
})

describe('the version of the checks', () => {
  const [first, ...others] = CHECKS
  const withFirst = (change: Partial<Check>): Check[] => (first ? [{ ...first, ...change }, ...others] : [])

  it.each([
    ['a revised check', withFirst({ revision: 2 })],
    ['a check with a different severity', withFirst({ severity: 'note' })],
    ['a new check', [...CHECKS, ...withFirst({ id: 'new' }).slice(0, 1)]],
    ['a removed check', others],
  ])('changes with %s', (_what, checks) => {
    expect(checksVersion(checks)).not.toBe(checksVersion())
  })

  it('does not change with the description of a check', () => {
    expect(checksVersion(withFirst({ means: 'Another sentence.' }))).toBe(checksVersion())
  })
})
