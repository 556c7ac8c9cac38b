import { printable } from '../wasm/printable.ts'
import { countOf, defineCheck, inField, listWords } from './check.ts'
import type { Check, Found } from './check.ts'
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
    const where = first.before === '' ? 'at its beginning' : `first behind “${printable(first.before)}”`
    return [
      {
        place: inField(field),
        title: `${called} ${title}`,
        reason: `It has ${countCodes(hidden)}, ${where}. ${reason}`,
        advice,
        key: [field, ...hidden.map(({ code, before, after }) => `${before}${code}${after}`)],
      },
    ]
  }

const invisible = describeHidden(
  'invisible',
  'has characters that nobody sees',
  'With them two texts that look the same are not, and what is copied is not what was read.',
  'Find them in the text, where they are shown by their number. Ask for a version without them unless the language needs them.',
)
const turning = describeHidden(
  'direction',
  'has characters that turn text around',
  'What stands there is not read in the order in which it is written: a name or a command can show as another one.',
  'Read the text with the characters shown by their number. Reject it unless it is in a language that is written from right to left.',
)
const control = describeHidden(
  'control',
  'has control characters',
  'A terminal that shows the text obeys them: it may hide lines, change a title or answer with keystrokes.',
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
    means: 'A text of the manifest has zero-width or other characters that nobody sees.',
    find: ({ manifest }) => ownTexts(manifest).flatMap(invisible),
  }),
  defineCheck({
    id: 'text-direction',
    severity: 'error',
    means: 'A text has characters that turn the order of reading around.',
    find: ({ manifest }) => [...ownTexts(manifest), ...exampleTexts(manifest)].flatMap(turning),
  }),
  defineCheck({
    id: 'text-control',
    severity: 'warning',
    means: 'A text has control characters other than tabs and line ends.',
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
          )}: Latin letters stand beside letters of another script that look like them, so that a search does not find the word and a reader takes it for another one.`,
          advice: 'Ask why. Reject it where the word is a name that people know.',
          key: [field, ...words],
        }
      }),
  }),
  defineCheck({
    id: 'text-placeholder',
    severity: 'warning',
    means: 'A text was never finished: lorem ipsum, TODO, "your description here".',
    find: ({ manifest }) =>
      ownTexts(manifest).flatMap(({ field, called, text }) => {
        const left = placeholders.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
        if (left.length === 0) return []
        return {
          place: inField(field),
          title: `${called} still has a placeholder`,
          reason: `It has ${listWords(left.map((words) => `“${printable(words, 40)}”`))}, which stands where something was to be written.`,
          advice: 'Ask for the finished text.',
          key: [field, ...left],
        }
      }),
  }),
  defineCheck({
    id: 'example-invisible',
    severity: 'warning',
    means: 'An example has characters that nobody sees.',
    find: ({ manifest }) => exampleTexts(manifest).flatMap(invisible),
  }),
  defineCheck({
    id: 'fields-same',
    severity: 'warning',
    means: 'Two of description, inputs and outputs say the same.',
    find: ({ manifest: { description, inputs, outputs } }) => {
      const plain = (text: string): string =>
        text
          .toLowerCase()
          .replaceAll(/[\s.]+/g, ' ')
          .trim()
      const pairs = [
        ['inputs', 'The text on inputs', inputs, 'the description', description],
        ['outputs', 'The text on outputs', outputs, 'the description', description],
        ['outputs', 'The text on outputs', outputs, 'the text on inputs', inputs],
      ] as const
      return pairs
        .filter(([, , text, , other]) => plain(text) === plain(other))
        .map(([field, called, text, otherCalled]) => ({
          place: inField(field),
          title: `${called} is ${otherCalled} again`,
          reason: `Both say the same ${countOf(text.length, 'character')}, so nobody learns from it what goes in or comes out.`,
          advice: 'Ask for a sentence on the format: encoding, separators, what an error looks like.',
          key: [field, otherCalled, plain(text)],
        }))
    },
  }),
]
