/** `1 byte`, `12,345 bytes`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatInteger(count)} ${count === 1 ? one : many}`
}

/** A whole number with thousands separators. Avoids Intl, which takes longer to load than `skill` takes to start. */
export function formatInteger(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3}){1,6}$)/g, ',')
}

/** `U+200B` */
export const codePointOf = (character: string): string => `U+${hexOf(character)}`

/** The code point in hexadecimal, with at least four digits. */
export const hexOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

/** Counts code points, so that an emoji outside the basic plane is one character, not two. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** One invisible character: whitespace, or a zero-width or filler character such as U+200B. */
const blankCharacter = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]$/u

/** Whether a text has no visible characters. */
export function isBlank(text: string): boolean {
  for (const character of text) if (!blankCharacter.test(character)) return false
  return true
}

/**
 * What is wrong with a command line, from an error of `parseArgs`: its first sentence and, if it has several lines, the last one.
 * The rest is advice for rare cases.
 */
export function argumentProblem(error: unknown): string {
  const [first = '', ...more] = error instanceof Error ? error.message.split('\n') : []
  return [`${(first.split(/\.\s/)[0] ?? '').replace(/\.$/, '')}.`, ...more.slice(-1)].join(' ')
}
