import type { SkillManifest } from '../../../../shared/contracts/manifest.ts'

type Example = SkillManifest['examples'][number]
type TextField = Exclude<keyof SkillManifest, 'examples'>

/** Every manifest field except the examples, in display order. */
const textFields = [
  'description',
  'inputs',
  'outputs',
  'readme',
  'license',
  'category',
  'name',
  'version',
  'runtime',
  'entrypoint',
  'pricing',
  'schemaVersion',
] as const satisfies readonly TextField[]

export interface FieldChange {
  field: TextField
  before: string
  after: string
}

export interface ExampleChange {
  kind: 'added' | 'removed' | 'changed'
  /** 1-based position: in the old manifest for a removed example, otherwise in the new one. */
  number: number
  before: Example | null
  after: Example | null
}

export interface ManifestDiff {
  fields: FieldChange[]
  examples: ExampleChange[]
  unchangedExamples: number
  /** Unchanged fields, including `examples`. */
  unchanged: (TextField | 'examples')[]
}

/** The differences between two manifests; with null, everything is new. `version` always differs and is left out. */
export function compareManifests(before: SkillManifest | null, after: SkillManifest): ManifestDiff {
  const fields: FieldChange[] = []
  const unchanged: ManifestDiff['unchanged'] = []
  for (const field of textFields) {
    const change = {
      field,
      before: before === null ? '' : String(before[field]),
      after: String(after[field]),
    }
    if (change.before === change.after) unchanged.push(field)
    else if (field !== 'version' || before === null) fields.push(change)
  }
  const { changes, unchanged: same } = compareExamples(before?.examples ?? [], after.examples)
  if (changes.length === 0) unchanged.push('examples')
  return { fields, examples: changes, unchangedExamples: same, unchanged }
}

/**
 * Examples have no names. Equal examples match at any position, then those with equal input, and the rest by
 * position.
 */
function compareExamples(
  before: readonly Example[],
  after: readonly Example[],
): { changes: ExampleChange[]; unchanged: number } {
  const left = new Map(before.entries())
  const changed = new Map<number, number>()
  const open = new Set(after.keys())
  const take = (matches: (one: Example, other: Example, at: number, number: number) => boolean): number => {
    let found = 0
    for (const number of open) {
      const example = after[number]
      if (example === undefined) continue
      const match = [...left].find(([at, other]) => matches(example, other, at, number))
      if (match === undefined) continue
      found += 1
      left.delete(match[0])
      open.delete(number)
      changed.set(number, match[0])
    }
    return found
  }
  const unchanged = take((one, other) => one.input === other.input && one.output === other.output)
  changed.clear()
  take((one, other) => one.input === other.input)
  take((_one, _other, at, number) => at === number)
  return {
    unchanged,
    changes: [
      ...after.flatMap((example, number): ExampleChange[] => {
        const at = changed.get(number)
        const was = at === undefined ? null : (before[at] ?? null)
        if (was === null && !open.has(number)) return []
        return [{ kind: was === null ? 'added' : 'changed', number: number + 1, before: was, after: example }]
      }),
      ...[...left].map(([at, example]): ExampleChange => ({
        kind: 'removed',
        number: at + 1,
        before: example,
        after: null,
      })),
    ],
  }
}
