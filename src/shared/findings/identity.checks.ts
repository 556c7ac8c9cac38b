import { printable } from '../wasm/printable.ts'
import { defineCheck, inField, inModule, listWords } from './check.ts'
import type { Check, SameBytes } from './check.ts'
import { nearnessOf } from './near-name.ts'
import type { Nearness } from './near-name.ts'

const differences: Record<Nearness, string> = {
  letter: 'They differ by one letter',
  transposed: 'They differ by two letters that have changed places',
  'look-alike': 'They differ by characters that look alike',
  hyphens: 'They differ by hyphens alone',
  plural: 'They differ by an s alone',
  order: 'They differ by the order of their words alone',
}

const refs = (releases: readonly SameBytes[]): string =>
  listWords(
    releases.map(
      ({ name, version, publisher, own }) =>
        `${name} ${version}${own ? '' : ` by ${printable(publisher, 60)}`}`,
    ),
    3,
  )

const isRefused = ({ status }: SameBytes): boolean => status === 'rejected' || status === 'revoked'

const namesOf = (releases: readonly SameBytes[]): string[] =>
  releases.map(({ name, version }) => `${name} ${version}`).toSorted()

const nameChecks: readonly Check[] = [
  defineCheck({
    id: 'name-near',
    severity: 'error',
    means:
      'The name is one letter, a look-alike, a plural or a hyphen away from an approved one of another owner.',
    needs: ['registry'],
    find: ({ manifest: { name }, registry }) =>
      registry.nearNames.flatMap((other) => {
        const nearness = nearnessOf(name, other.name)
        if (nearness === null || nearness === 'order') return []
        return {
          place: inField('name'),
          title: `The name is nearly ${other.name}`,
          reason: `${other.name} is approved and belongs to ${printable(other.publisher, 60)}. ${differences[nearness]}, so whoever mistypes or misreads it gets this one.`,
          advice: `Compare both. Reject it unless it is clear that nobody looks for ${other.name} here.`,
          key: [other.name],
        }
      }),
  }),
  defineCheck({
    id: 'name-order',
    severity: 'warning',
    means: 'The name has the words of an approved one of another owner in another order.',
    needs: ['registry'],
    find: ({ manifest: { name }, registry }) =>
      registry.nearNames
        .filter((other) => nearnessOf(name, other.name) === 'order')
        .map((other) => ({
          place: inField('name'),
          title: `The name has the words of ${other.name}`,
          reason: `${other.name} is approved and belongs to ${printable(other.publisher, 60)}. ${differences.order}, and people remember words better than their order.`,
          advice: 'Compare both. Ask for another name where they do the same.',
          key: [other.name],
        })),
  }),
  defineCheck({
    id: 'publisher-name-shared',
    severity: 'warning',
    means: 'Another publisher with something approved is shown under the same name.',
    needs: ['registry'],
    find({ registry: { publisher, isPublisherNameShared } }) {
      if (!isPublisherNameShared) return []
      return [
        {
          place: inField('publisher'),
          title: `There is another publisher called ${printable(publisher, 60)}`,
          reason:
            'Both have the same display name, and people know publishers by it. Whose this is shows in the subject alone.',
          advice: 'Compare the subjects in People. Reject it where somebody passes for somebody else.',
          key: [publisher],
        },
      ]
    },
  }),
]

const bytesChecks: readonly Check[] = [
  defineCheck({
    id: 'module-refused',
    severity: 'error',
    means: 'The module is byte for byte one that was rejected or revoked.',
    needs: ['registry'],
    find({ registry }) {
      const same = registry.sameBytes.filter(isRefused)
      const [first] = same
      if (first === undefined) return []
      return [
        {
          place: inModule,
          title: `The same module was ${first.status} before`,
          reason: `It is byte for byte that of ${refs(same)}. What was wrong with the module then is wrong with it now.`,
          advice: 'Read the notes of that decision. Approve only where they were about something else.',
          key: namesOf(same),
        },
      ]
    },
  }),
  defineCheck({
    id: 'module-copied',
    severity: 'error',
    means: 'The module is byte for byte one of another owner.',
    needs: ['registry'],
    find({ registry }) {
      const same = registry.sameBytes.filter((release) => !release.own && !isRefused(release))
      if (same.length === 0) return []
      return [
        {
          place: inModule,
          title: 'The module is that of another publisher',
          reason: `It is byte for byte that of ${refs(same)}. Either one has taken it from the other, or both from somebody else.`,
          advice: 'Find out whose it is, and whether the licence lets others publish it under their name.',
          key: namesOf(same),
        },
      ]
    },
  }),
  defineCheck({
    id: 'module-twice',
    severity: 'warning',
    means: 'The module is byte for byte one that the same owner has published under another name.',
    needs: ['registry'],
    find({ manifest, registry }) {
      const same = registry.sameBytes.filter(
        (release) => release.own && !isRefused(release) && release.name !== manifest.name,
      )
      if (same.length === 0) return []
      return [
        {
          place: inModule,
          title: 'The module has another name already',
          reason: `It is byte for byte that of ${refs(same)}, of the same publisher. Two names for one module fill the catalog and take names from others.`,
          advice: 'Ask which of the names is to stay.',
          key: namesOf(same),
        },
      ]
    },
  }),
  defineCheck({
    id: 'module-unchanged',
    severity: 'note',
    means: 'The module is byte for byte that of another version of the same name.',
    needs: ['registry'],
    find({ manifest, registry }) {
      const same = registry.sameBytes.filter(
        (release) => release.own && !isRefused(release) && release.name === manifest.name,
      )
      if (same.length === 0) return []
      return [
        {
          place: inModule,
          title: 'The module has not changed',
          reason: `It is byte for byte that of ${refs(same)}: only the manifest is new.`,
          advice: 'Look at what changed in the texts; the module needs no second look.',
          key: namesOf(same),
        },
      ]
    },
  }),
]

export const identityChecks: readonly Check[] = [...nameChecks, ...bytesChecks]
