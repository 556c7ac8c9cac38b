import { printable } from '../wasm/printable.ts'
import { defineCheck, inField, listWords } from './define-check.ts'
import type { Check, Found } from './define-check.ts'
import { exampleTexts, ownTexts } from './fields.ts'
import type { Field } from './fields.ts'
import { findHidden, findMixedWords } from './hidden-characters.ts'
import type { HiddenCharacter, HiddenKind } from './hidden-characters.ts'

/** `U+200B (3 times) and U+FEFF` */
const countCodes = (hidden: readonly HiddenCharacter[]): string => {
  const counts = new Map<string, number>()
  for (const { code } of hidden) counts.set(code, (counts.get(code) ?? 0) + 1)
  return listWords(
    [...counts].map(([code, count]) => (count === 1 ? code : `${code} (${count} times)`)),
    5,
  )
}

const describeHidden =
  (kind: HiddenKind, title: string, reason: string, advice: string) =>
  ({ field, called, text }: Field): Found[] => {
    const hidden = findHidden(text).filter((one) => one.kind === kind)
    const [first] = hidden
    if (first === undefined) return []
    const where = first.before === '' ? 'at its start' : `first after “${printable(first.before)}”`
    return [
      {
        place: inField(field),
        title: `${called} ${title}`,
        reason: `It contains ${countCodes(hidden)}, ${where}. ${reason}`,
        advice,
        key: [field, ...hidden.map(({ code, before, after }) => `${before}${code}${after}`)],
      },
    ]
  }

const invisible = describeHidden(
  'invisible',
  'contains invisible characters',
  'With them, texts can look the same and still differ, and copied text is not what was read.',
  'Find them in the text, where they are shown by their code. Ask for a version without them unless the language needs them.',
)
const direction = describeHidden(
  'direction',
  'contains characters that change the text direction',
  'The text is shown in a different order from the one in which it is stored, so a name or a command can look like another one.',
  'Read the text with the characters shown by their code. Reject it unless it is in a language written from right to left.',
)
const control = describeHidden(
  'control',
  'contains control characters',
  'A terminal that shows the text interprets them: they can hide lines, change the title or send keystrokes.',
  'Find out what they are for. Ask for a version without them unless the skill is about terminals.',
)

const placeholders = [
  /\blorem ipsum\b/i,
  /\b(?:TODO|FIXME|TBD|XXX)\b/,
  /\b(?:insert|enter|add|put|write) (?:a |an |the |your )?(?:description|readme|text|examples?|title) here\b/i,
  /\byour (?:description|readme|text|title) here\b/i,
  /\b(?:short|example|sample|default) description\b/i,
  /\basdf(?:asdf|jkl)?\b/i,
  /<(?:your[ -][a-z -]{1,20}|description|project[ -]name|skill[ -]name)>/i,
]

export const textChecks: readonly Check[] = [
  defineCheck({
    id: 'text-invisible',
    severity: 'error',
    means: 'A text of the manifest contains zero-width or other invisible characters.',
    find: ({ manifest }) => ownTexts(manifest).flatMap(invisible),
  }),
  defineCheck({
    id: 'text-direction',
    severity: 'error',
    means: 'A text contains characters that change the text direction.',
    find: ({ manifest }) => [...ownTexts(manifest), ...exampleTexts(manifest)].flatMap(direction),
  }),
  defineCheck({
    id: 'text-control',
    severity: 'warning',
    means: 'A text contains control characters other than tabs and line endings.',
    find: ({ manifest }) => [...ownTexts(manifest), ...exampleTexts(manifest)].flatMap(control),
  }),
  defineCheck({
    id: 'text-look-alike',
    severity: 'warning',
    means: 'A word mixes Latin letters with letters of another script that look like them.',
    find: ({ manifest }) =>
      ownTexts(manifest).flatMap(({ field, called, text }) => {
        const words = findMixedWords(text)
        if (words.length === 0) return []
        return {
          place: inField(field),
          title: `${called} mixes scripts within words`,
          reason: `${listWords(
            words.map((word) => `“${printable(word, 40)}”`),
            5,
          )}: Latin letters are mixed with look-alikes of another script, so a search does not find the word and readers mistake it for another one.`,
          advice: 'Ask why. Reject it if the word imitates a well-known name.',
          key: [field, ...words],
        }
      }),
  }),
  defineCheck({
    id: 'text-placeholder',
    severity: 'warning',
    means: 'A text contains a placeholder, such as lorem ipsum, TODO or "your description here".',
    find: ({ manifest }) =>
      ownTexts(manifest).flatMap(({ field, called, text }) => {
        const left = placeholders.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
        if (left.length === 0) return []
        return {
          place: inField(field),
          title: `${called} contains a placeholder`,
          reason: `It contains ${listWords(left.map((words) => `“${printable(words, 40)}”`))}, so it seems unfinished.`,
          advice: 'Ask for the finished text.',
          key: [field, ...left],
        }
      }),
  }),
  defineCheck({
    id: 'example-invisible',
    severity: 'warning',
    means: 'An example contains invisible characters.',
    find: ({ manifest }) => exampleTexts(manifest).flatMap(invisible),
  }),
  defineCheck({
    id: 'fields-same',
    severity: 'warning',
    means: 'Two of description, inputs and outputs have the same text.',
    find: ({ manifest: { description, inputs, outputs } }) => {
      const plain = (text: string): string =>
        text
          .toLowerCase()
          .replaceAll(/[\s.]+/g, ' ')
          .trim()
      // The last element is only part of the fingerprint. Changing it would reopen dismissed findings.
      const pairs = [
        ['inputs', inputs, 'description', description, 'the description'],
        ['outputs', outputs, 'description', description, 'the description'],
        ['outputs', outputs, 'inputs', inputs, 'the text on inputs'],
      ] as const
      return pairs
        .filter(([, text, , other]) => plain(text) === plain(other))
        .map(([field, text, otherField, , key]) => ({
          place: inField(field),
          title: `The ${field} repeat the ${otherField}`,
          reason: 'Both have the same text, so the format of input or output is not described.',
          advice: 'Ask for a sentence about the format: encoding, separators, what an error looks like.',
          key: [field, key, plain(text)],
        }))
    },
  }),
]
