import { printable } from '../wasm/printable.ts'
import { defineCheck, inField, inModule, listWords } from './define-check.ts'
import type { Check, SameBytes } from './define-check.ts'
import { nearnessOf } from './near-name.ts'
import type { Nearness } from './near-name.ts'

const differences: Record<Nearness, string> = {
  letter: 'The names differ by one letter',
  transposed: 'The names differ by two swapped letters',
  'look-alike': 'The names differ by characters that look alike',
  hyphens: 'The names differ only by hyphens',
  plural: 'The names differ only by a plural s',
  order: 'The names differ only by the order of their words',
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
      'The name is one letter, a look-alike, a plural or a hyphen away from an approved name of another publisher.',
    needs: ['registry'],
    find: ({ manifest: { name }, registry }) =>
      registry.nearNames.flatMap((other) => {
        const nearness = nearnessOf(name, other.name)
        if (nearness === null || nearness === 'order') return []
        return {
          place: inField('name'),
          title: `The name is similar to ${other.name}`,
          reason: `${other.name} is approved and belongs to ${printable(other.publisher, 60)}. ${differences[nearness]}, so users who mistype or misread it get this one.`,
          advice: `Compare both. Reject it if users looking for ${other.name} could confuse the two.`,
          key: [other.name],
        }
      }),
  }),
  defineCheck({
    id: 'name-order',
    severity: 'warning',
    means: 'The name has the same words as an approved name of another publisher, in a different order.',
    needs: ['registry'],
    find: ({ manifest: { name }, registry }) =>
      registry.nearNames
        .filter((other) => nearnessOf(name, other.name) === 'order')
        .map((other) => ({
          place: inField('name'),
          title: `The name has the same words as ${other.name}`,
          reason: `${other.name} is approved and belongs to ${printable(other.publisher, 60)}. ${differences.order}, and people remember words better than their order.`,
          advice: 'Compare both. If they do the same, ask for another name.',
          key: [other.name],
        })),
  }),
  defineCheck({
    id: 'publisher-name-shared',
    severity: 'warning',
    means: 'Another publisher with an approved release has the same display name.',
    needs: ['registry'],
    find({ registry: { publisher, isPublisherNameShared } }) {
      if (!isPublisherNameShared) return []
      return [
        {
          place: inField('publisher'),
          title: `Another publisher is also named ${printable(publisher, 60)}`,
          reason:
            'Users recognize publishers by their display name. These two can only be distinguished by their sign-in names.',
          advice: 'Compare the sign-in names in People. Reject it if one impersonates the other.',
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
    means: 'The module is identical to one that was rejected or revoked.',
    needs: ['registry'],
    find({ registry }) {
      const same = registry.sameBytes.filter(isRefused)
      const [first] = same
      if (first === undefined) return []
      return [
        {
          place: inModule,
          title: `The same module was ${first.status} before`,
          reason: `It is identical to that of ${refs(same)}. If the module was the problem then, it still is.`,
          advice: 'Read the review notes of that decision. Approve only if they were not about the module.',
          key: namesOf(same),
        },
      ]
    },
  }),
  defineCheck({
    id: 'module-copied',
    severity: 'error',
    means: 'The module is identical to one by another publisher.',
    needs: ['registry'],
    find({ registry }) {
      const same = registry.sameBytes.filter((release) => !release.own && !isRefused(release))
      if (same.length === 0) return []
      return [
        {
          place: inModule,
          title: 'Another publisher has submitted the same module',
          reason: `It is identical to that of ${refs(same)}. One publisher copied it from the other, or both from someone else.`,
          advice: 'Find out whose it is, and whether its license lets others publish it under their name.',
          key: namesOf(same),
        },
      ]
    },
  }),
  defineCheck({
    id: 'module-twice',
    severity: 'warning',
    means: 'The module is identical to one that the same publisher has submitted under another name.',
    needs: ['registry'],
    find({ manifest, registry }) {
      const same = registry.sameBytes.filter(
        (release) => release.own && !isRefused(release) && release.name !== manifest.name,
      )
      if (same.length === 0) return []
      return [
        {
          place: inModule,
          title: 'The module has already been submitted under another name',
          reason: `It is identical to that of ${refs(same)}, by the same publisher. Duplicates clutter the catalog and take names from others.`,
          advice: 'Ask which of the names to keep.',
          key: namesOf(same),
        },
      ]
    },
  }),
  defineCheck({
    id: 'module-unchanged',
    severity: 'note',
    means: 'The module is identical to that of another version of the same name.',
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
          reason: `It is identical to that of ${refs(same)}. Only the manifest is new.`,
          advice:
            'Review the changes in the texts. If the other version is approved, the module needs no second review.',
          key: namesOf(same),
        },
      ]
    },
  }),
]

export const identityChecks: readonly Check[] = [...nameChecks, ...bytesChecks]
