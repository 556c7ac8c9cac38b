import { capabilityGrowth } from '../capabilities.ts'
import { printable } from '../wasm/printable.ts'
import { defineCheck, inField, listWords } from './check.ts'
import type { Check } from './check.ts'
import { wordsOf } from './fields.ts'

const numbersOf = (version: string): [bigint, bigint, bigint] => {
  const [major = '0', minor = '0', patch = '0'] = version.split('.')
  return [BigInt(major), BigInt(minor), BigInt(patch)]
}

const isLower = (version: string, than: string): boolean => {
  const [a, b] = [numbersOf(version), numbersOf(than)]
  const index = a.findIndex((number, place) => number !== b[place])
  return index >= 0 && (a[index] ?? 0n) < (b[index] ?? 0n)
}

/** How many numbers a version leaves out after another one: 0 for the next of its kind. */
const leftOut = (version: string, after: string): bigint => {
  const [a, b] = [numbersOf(version), numbersOf(after)]
  if (a[0] !== b[0]) return a[0] - b[0] - 1n
  return a[1] === b[1] ? a[2] - b[2] - 1n : a[1] - b[1] - 1n
}

const farJump = 10n

export const changeChecks: readonly Check[] = [
  defineCheck({
    id: 'version-lower',
    severity: 'warning',
    means: 'The version is lower than the approved one that was submitted last.',
    needs: ['registry'],
    find({ manifest: { version }, registry: { approved } }) {
      if (approved === null || !isLower(version, approved.version)) return []
      return [
        {
          place: inField('version'),
          title: `${version} is lower than ${approved.version}`,
          reason: `Once it is approved, whoever asks for the latest release gets ${version} instead of ${approved.version}: the latest is the one that was submitted last.`,
          advice: 'Approve it only where an older line is meant to become the present one.',
          key: [version, approved.version],
        },
      ]
    },
  }),
  defineCheck({
    id: 'version-jump',
    severity: 'note',
    means: 'The version leaves out many numbers after the approved one.',
    needs: ['registry'],
    find({ manifest: { version }, registry: { approved } }) {
      if (approved === null || isLower(version, approved.version)) return []
      const [major, approvedMajor] = [numbersOf(version)[0], numbersOf(approved.version)[0]]
      const left = leftOut(version, approved.version)
      if (major === approvedMajor ? left < farJump : left < 1n) return []
      return [
        {
          place: inField('version'),
          title: `From ${approved.version} to ${version} at once`,
          reason:
            'Versions between them were never submitted here. Somebody who takes a name over often raises the version far, so that it counts as the newest for long.',
          advice:
            'See whether the publisher is still the same person, and whether the number belongs to what changed.',
          key: [version, approved.version],
        },
      ]
    },
  }),
  defineCheck({
    id: 'growth-in-patch',
    severity: 'warning',
    means:
      'The module can do more than the approved one, and only the last number of the version was raised.',
    needs: ['registry', 'module'],
    find({ manifest: { version }, module, registry: { approved } }) {
      if (approved === null || approved.imports === null) return []
      const [a, b] = [numbersOf(version), numbersOf(approved.version)]
      const grown = capabilityGrowth(approved.imports, module.imports)
      if (grown.length === 0 || a[0] !== b[0] || a[1] !== b[1]) return []
      return [
        {
          place: inField('version'),
          title: 'It can do more, under a number for small repairs',
          reason: `${approved.version} could not: ${listWords(grown.map(({ label }) => label.toLowerCase()))}. People take a new last number without looking.`,
          advice: 'Ask for a higher version, and for a sentence on what is new.',
          key: grown.flatMap(({ key, functions }) => [key, ...functions]),
        },
      ]
    },
  }),
  defineCheck({
    id: 'license-changed',
    severity: 'warning',
    means: 'The licence is another one than that of the approved release.',
    needs: ['registry'],
    find({ manifest: { license }, registry: { approved } }) {
      if (approved === null || approved.manifest.license === license) return []
      return [
        {
          place: inField('license'),
          title: 'The licence has changed',
          reason: `${approved.version} has “${printable(approved.manifest.license, 100)}”, this one “${printable(license, 100)}”. Whoever relies on the first may not be allowed to use the second.`,
          advice:
            'See that the readme says so. Ask for a higher first number of the version where the new one allows less.',
          key: [approved.manifest.license, license],
        },
      ]
    },
  }),
  defineCheck({
    id: 'description-changed',
    severity: 'warning',
    means: 'The description has hardly a word in common with that of the approved release.',
    needs: ['registry'],
    find({ manifest: { description }, registry: { approved } }) {
      if (approved === null) return []
      const before = new Set(wordsOf(approved.manifest.description))
      const now = new Set(wordsOf(description))
      const common = [...now].filter((word) => before.has(word)).length
      if (common * 5 >= new Set([...before, ...now]).size) return []
      return [
        {
          place: inField('description'),
          title: 'The description is about something else',
          reason: `It has ${common === 0 ? 'no word' : common === 1 ? 'one word' : `${common} words`} in common with that of ${approved.version}: “${printable(approved.manifest.description, 200)}”. A name that does something else surprises everybody who has it.`,
          advice:
            'See under Changes whether the skill is still the same. Ask for another name where it is not.',
          key: [approved.manifest.description, description],
        },
      ]
    },
  }),
  defineCheck({
    id: 'category-changed',
    severity: 'note',
    means: 'The category is another one than that of the approved release.',
    needs: ['registry'],
    find({ manifest: { category }, registry: { approved } }) {
      if (approved === null || approved.manifest.category === category) return []
      return [
        {
          place: inField('category'),
          title: 'The category has changed',
          reason: `${approved.version} stands under ${approved.manifest.category}, this one under ${category}.`,
          advice: 'See that the new one fits what the skill does.',
          key: [approved.manifest.category, category],
        },
      ]
    },
  }),
]
