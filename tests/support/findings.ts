import type { ModuleDetails, ModuleFacts } from '../../src/shared/contracts/desk-review.ts'
import type { SkillManifest } from '../../src/shared/contracts/releases.ts'
import type { CheckInput, RegistryView } from '../../src/shared/findings/check.ts'
import { markKinds } from '../../src/shared/findings/marks.ts'
import type { MarkKind } from '../../src/shared/findings/marks.ts'
import type { Mark, ModuleScan } from '../../src/shared/findings/module-scan.ts'
import { assembleWat } from './assemble-wat.ts'

/** A manifest in which no check finds anything. */
export const goodManifest: SkillManifest = {
  schemaVersion: 1,
  name: 'upper-case',
  version: '1.0.0',
  description: 'Turns every letter into its capital.',
  readme:
    '# upper-case\n\nGive it text in UTF-8; accents, Greek and Cyrillic work as well. Whatever has no capital, ' +
    'such as ß or a digit, stays as it was. Wrong bytes end the run with status 1 and a line on standard error.',
  inputs: 'Text in UTF-8, at most 8 MiB.',
  outputs: 'The same text in capitals, without a line end of its own.',
  examples: [
    { input: 'abc', output: 'ABC' },
    { input: 'é1', output: 'É1' },
  ],
  license: 'MIT',
  category: 'Transformers',
  runtime: 'wasip1-command',
  entrypoint: '_start',
  pricing: 'free',
}

/** A module in which no check finds anything. */
export const goodModule: ModuleFacts = {
  imports: ['fd_read', 'fd_write', 'proc_exit'],
  exports: [
    { name: 'memory', kind: 'memory' },
    { name: '_start', kind: 'function' },
  ],
  exportCount: 2,
  memory: { minPages: 17, maxPages: 64 },
  functionCount: 12,
  hasStart: false,
  sections: [
    { name: 'type', size: 40 },
    { name: 'code', size: 9000 },
    { name: 'data', size: 700 },
  ],
  details: {
    tables: [],
    start: null,
    producers: [],
    targetFeatures: ['bulk-memory', 'sign-ext'],
    namedFunctions: 0,
    debugBytes: 0,
  },
}

export const withDetails = (details: Partial<ModuleDetails>): Pick<ModuleFacts, 'details'> => ({
  details: {
    tables: [],
    start: null,
    producers: [],
    targetFeatures: [],
    namedFunctions: 0,
    debugBytes: 0,
    ...details,
  },
})

/** A scan that found these, in this order. */
export function scanOf(found: Partial<Record<MarkKind, Mark[]>> = {}): ModuleScan {
  const marks = markKinds.map((kind) => {
    const shown = found[kind] ?? []
    const digest =
      shown.length === 0
        ? ''
        : Buffer.from(JSON.stringify(shown)).toString('hex').slice(-32).padStart(32, '0')
    return [kind, { total: shown.length, digest, shown }]
  })
  return Object.fromEntries(marks) as ModuleScan
}

/** A registry that knows nothing which a check would speak of. */
export const quietRegistry: RegistryView = {
  nearNames: [],
  publisher: 'Alice',
  isPublisherNameShared: false,
  sameBytes: [],
  approved: null,
}

/** What is checked of a release with which everything is right, with what a test changes. */
export function inputOf(change: Partial<CheckInput> = {}): CheckInput {
  return {
    manifest: goodManifest,
    size: 12_000,
    module: goodModule,
    scan: scanOf(),
    problem: null,
    registry: quietRegistry,
    runs: null,
    ...change,
  }
}

/** A command module in which no check finds anything; each number gives other bytes. `more` stands in front. */
export const quietModule = (number: number, more = ''): Promise<Uint8Array<ArrayBuffer>> =>
  assembleWat(`(module
    (import "wasi_snapshot_preview1" "fd_read" (func (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
    ${more} (memory (export "memory") 17 64) (func (export "_start") (drop (i32.const ${number}))))`)
