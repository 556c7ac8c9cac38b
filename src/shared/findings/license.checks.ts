import parseExpression from 'spdx-expression-parse'
import deprecatedIds from 'spdx-license-ids/deprecated.json' with { type: 'json' }
import licenseIds from 'spdx-license-ids/index.json' with { type: 'json' }
import { printable } from '../wasm/printable.ts'
import { defineCheck, inField, listWords } from './define-check.ts'
import type { Check } from './define-check.ts'

const isExpression = (license: string): boolean => {
  try {
    parseExpression(license)
    return true
  } catch {
    return false
  }
}

const bare = (text: string): string =>
  text.toLowerCase().replaceAll(/[^a-z0-9]|licen[cs]e|version|\bthe\b/g, '')

let idsByBareName: ReadonlyMap<string, string> | null = null

/** The SPDX id for a name without case, spaces, hyphens and the word "license". */
const idOf = (bareName: string): string | undefined => {
  idsByBareName ??= new Map(licenseIds.map((id) => [bare(id), id]))
  return idsByBareName.get(bareName)
}

/** Common names of licenses that are not SPDX ids. */
const habits: readonly (readonly [RegExp, string])[] = [
  [/^apache$/, 'Apache-2.0'],
  [/^(?:new|modified|3clause)?bsd(?:3|3clause)?$/, 'BSD-3-Clause'],
  [/^(?:simplified|2clause)bsd(?:2|2clause)?$/, 'BSD-2-Clause'],
  [/^(?:gnu)?gplv?([23])(?:0)?(?:\+|orlater)?$/, 'GPL-$1.0-or-later'],
  [/^(?:gnu)?lgplv?([23])(?:0)?$/, 'LGPL-$1.0-or-later'],
  [/^(?:gnu)?agplv?3(?:0)?$/, 'AGPL-3.0-or-later'],
  [/^(?:mpl|mozilla)v?2?(?:0)?$/, 'MPL-2.0'],
  [/^apachev?2(?:0)?$/, 'Apache-2.0'],
  [/^publicdomain$/, 'CC0-1.0'],
]

const suggestId = (license: string): string | null => {
  const name = bare(license)
  const known = idOf(name)
  if (known !== undefined) return known
  const habit = habits.find(([pattern]) => pattern.test(name))
  return habit === undefined ? null : name.replace(habit[0], habit[1])
}

/** Ids of licenses that restrict who may use a skill or for what. */
const RESTRICTING = /^(?:CC-BY-(?:NC|ND)|BUSL-|Elastic-|SSPL-|PolyForm-|Hippocratic-|JSON$|Parity-|Aladdin$)/

const idsIn = (license: string): string[] =>
  license.match(/[A-Za-z0-9][A-Za-z0-9.+-]*(?::[A-Za-z0-9.-]+)?/g) ?? []

const deprecated: ReadonlySet<string> = new Set(deprecatedIds)

export const licenseChecks: readonly Check[] = [
  defineCheck({
    id: 'license-unknown',
    severity: 'warning',
    means: 'The license is not a valid SPDX expression.',
    find({ manifest: { license } }) {
      if (isExpression(license)) return []
      const suggested = suggestId(license)
      return [
        {
          place: inField('license'),
          title: `“${printable(license, 60)}” is not a valid SPDX expression`,
          reason:
            'License tools do not recognize it, and it is not clear which version of a license it means.',
          advice:
            suggested === null
              ? 'Ask for an id from the SPDX license list, such as MIT or Apache-2.0, or for LicenseRef- followed by a name.'
              : `Ask for ${suggested}, if that is what is meant.`,
          key: [license],
        },
      ]
    },
  }),
  defineCheck({
    id: 'license-deprecated',
    severity: 'note',
    means: 'The license is an id that SPDX has replaced with a clearer one.',
    find({ manifest: { license } }) {
      const old = isExpression(license)
        ? idsIn(license).filter((id) => deprecated.has(id.replace(/\+$/, '')))
        : []
      if (old.length === 0) return []
      return [
        {
          place: inField('license'),
          title: `${listWords(old)} ${old.length === 1 ? 'is a deprecated id' : 'are deprecated ids'}`,
          reason: `SPDX has replaced ${old.length === 1 ? 'it' : 'them'} with more precise ids, which say whether later versions are included, for example.`,
          advice: 'Ask for the current id, such as GPL-3.0-only or GPL-3.0-or-later, in the next version.',
          key: [license],
        },
      ]
    },
  }),
  defineCheck({
    id: 'license-restricts',
    severity: 'warning',
    means: 'The license forbids some uses, or its text is not known.',
    find({ manifest: { license } }) {
      const own = idsIn(license).filter((id) => /(?:^|:)LicenseRef-/.test(id))
      const forbidding = idsIn(license).filter((id) => RESTRICTING.test(id))
      const isClosed = /^(?:unlicensed|proprietary|all rights reserved)$/i.test(license)
      const isElsewhere = /^(?:none|see licen[cs]e.*)$/i.test(license)
      if (own.length + forbidding.length === 0 && !isClosed && !isElsewhere) return []
      const reason =
        forbidding.length > 0
          ? `${listWords(forbidding)} ${forbidding.length === 1 ? 'restricts' : 'restrict'} who may use or redistribute the skill, or for what.`
          : isClosed
            ? 'It does not allow anyone to use or redistribute the skill.'
            : isElsewhere
              ? 'Its terms are not included.'
              : `The text of ${listWords(own)} is the publisher's own and is not included.`
      return [
        {
          place: inField('license'),
          title: `“${printable(license, 60)}” may restrict use`,
          reason: `${reason} Skills in this registry are free for anyone to run.`,
          advice: 'Read the license. If it restricts running the skill, ask for a different one.',
          key: [license],
        },
      ]
    },
  }),
]
