import { newCapabilities } from '../capabilities.ts'
import { printable } from '../wasm/printable.ts'
import { defineCheck, inField, listWords } from './define-check.ts'
import type { Check } from './define-check.ts'
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

/** How many version numbers are skipped between two versions: 0 for the next major, minor or patch version. */
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
    means: 'The version is lower than that of the latest approved release.',
    needs: ['registry'],
    find({ manifest: { version }, registry: { approved } }) {
      if (approved === null || !isLower(version, approved.version)) return []
      return [
        {
          place: inField('version'),
          title: `${version} is lower than ${approved.version}`,
          reason: `The latest release is the one submitted last. If this one was submitted after ${approved.version}, users who install the latest release will get ${version} instead.`,
          advice: 'Approve it only if it is meant to become the latest release.',
          key: [version, approved.version],
        },
      ]
    },
  }),
  defineCheck({
    id: 'version-jump',
    severity: 'note',
    means: 'The version skips a major version, or ten or more minor or patch versions.',
    needs: ['registry'],
    find({ manifest: { version }, registry: { approved } }) {
      if (approved === null || isLower(version, approved.version)) return []
      const [major, approvedMajor] = [numbersOf(version)[0], numbersOf(approved.version)[0]]
      const left = leftOut(version, approved.version)
      if (major === approvedMajor ? left < farJump : left < 1n) return []
      return [
        {
          place: inField('version'),
          title: `The version jumps from ${approved.version} to ${version}`,
          reason:
            'It skips version numbers after the latest approved release. An attacker who takes over a name often jumps far ahead, so that their release has the highest version number for a long time.',
          advice: 'Check that the publisher is still the same person and that the version fits the changes.',
          key: [version, approved.version],
        },
      ]
    },
  }),
  defineCheck({
    id: 'growth-in-patch',
    severity: 'warning',
    means: 'The module has new capabilities, but only the patch version was bumped.',
    needs: ['registry', 'module'],
    find({ manifest: { version }, module, registry: { approved } }) {
      if (approved === null || approved.imports === null) return []
      const [a, b] = [numbersOf(version), numbersOf(approved.version)]
      const grown = newCapabilities(approved.imports, module.imports)
      if (grown.length === 0 || a[0] !== b[0] || a[1] !== b[1]) return []
      return [
        {
          place: inField('version'),
          title: 'New capabilities in a patch version',
          reason: `New since ${approved.version}: ${listWords(grown.map(({ label }) => label.toLowerCase()))}. Users install patch versions without looking.`,
          advice: 'Ask for a minor or major version, and for a sentence about what is new.',
          key: grown.flatMap(({ key, functions }) => [key, ...functions]),
        },
      ]
    },
  }),
  defineCheck({
    id: 'license-changed',
    severity: 'warning',
    means: 'The license differs from that of the approved release.',
    needs: ['registry'],
    find({ manifest: { license }, registry: { approved } }) {
      if (approved === null || approved.manifest.license === license) return []
      return [
        {
          place: inField('license'),
          title: 'The license has changed',
          reason: `${approved.version} has “${printable(approved.manifest.license, 100)}”; this version has “${printable(license, 100)}”. Users who rely on the first may not be allowed to use the second.`,
          advice:
            'Check that the readme mentions it. If the new license allows less, ask for a new major version.',
          key: [approved.manifest.license, license],
        },
      ]
    },
  }),
  defineCheck({
    id: 'description-changed',
    severity: 'warning',
    means: 'The description has hardly any words in common with that of the approved release.',
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
          reason: `It has ${common === 0 ? 'no words' : common === 1 ? 'one word' : `${common} words`} in common with that of ${approved.version}: “${printable(approved.manifest.description, 200)}”. Users do not expect a skill to become a different one.`,
          advice:
            'Check under Changes whether it is still the same skill. If it is not, ask for another name.',
          key: [approved.manifest.description, description],
        },
      ]
    },
  }),
  defineCheck({
    id: 'category-changed',
    severity: 'note',
    means: 'The category differs from that of the approved release.',
    needs: ['registry'],
    find({ manifest: { category }, registry: { approved } }) {
      if (approved === null || approved.manifest.category === category) return []
      return [
        {
          place: inField('category'),
          title: 'The category has changed',
          reason: `${approved.version} is in ${approved.manifest.category}; this version is in ${category}.`,
          advice: 'Check that the new category fits the skill.',
          key: [approved.manifest.category, category],
        },
      ]
    },
  }),
]
