import type { SkillManifest } from '../../../../shared/contracts/releases.ts'

export type Example = SkillManifest['examples'][number]
export type TextField = Exclude<keyof SkillManifest, 'examples'>

/** Every field of a manifest but the examples, in the order in which the differences stand. */
export const textFields = [
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
  /** From 1, in the manifest that has it; of a changed one, in the new manifest. */
  number: number
  before: Example | null
  after: Example | null
}

export interface ManifestDiff {
  fields: FieldChange[]
  examples: ExampleChange[]
  examplesAsBefore: number
  /** What is the same in both, examples included. */
  asBefore: (TextField | 'examples')[]
}

/** What a manifest says differently; against none, all that it says. The versions differ by nature and are left out. */
export function compareManifests(before: SkillManifest | null, after: SkillManifest): ManifestDiff {
  const fields: FieldChange[] = []
  const asBefore: ManifestDiff['asBefore'] = []
  for (const field of textFields) {
    const change = {
      field,
      before: before === null ? '' : String(before[field]),
      after: String(after[field]),
    }
    if (change.before === change.after) asBefore.push(field)
    else if (field !== 'version' || before === null) fields.push(change)
  }
  const { changes, asBefore: same } = compareExamples(before?.examples ?? [], after.examples)
  if (changes.length === 0) asBefore.push('examples')
  return { fields, examples: changes, examplesAsBefore: same, asBefore }
}

/**
 * Examples have no names: the same texts are the same example wherever it stands, the same input with another output
 * is one that changed, and what is left is paired by its number.
 */
function compareExamples(
  before: readonly Example[],
  after: readonly Example[],
): { changes: ExampleChange[]; asBefore: number } {
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
  const asBefore = take((one, other) => one.input === other.input && one.output === other.output)
  changed.clear()
  take((one, other) => one.input === other.input)
  take((_one, _other, at, number) => at === number)
  return {
    asBefore,
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
