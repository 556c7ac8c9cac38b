/** How a name differs from another one that it may be confused with. */
export type Nearness = 'letter' | 'transposed' | 'look-alike' | 'hyphens' | 'plural' | 'order'

/** In shorter names, one letter often makes a different word. */
const minLength = 4

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789-'

/** Words that express a direction, so that the order of the others matters. */
const DIRECTED = /(?:^|-)(?:to|from|into|as|2)(?:-|$)/

/** Names with more words are not compared by the order of their words. */
const maxOrdered = 4

const withoutHyphens = (name: string): string => name.replaceAll('-', '')

const lookAlikes = (name: string): string =>
  name
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('5', 's')

const singular = (name: string): string =>
  name
    .split('-')
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word))
    .join('-')

/**
 * Equal for names that differ only by hyphens, by a plural s, or by characters that look alike.
 */
export const skeletonOf = (name: string): string => lookAlikes(withoutHyphens(singular(name)))

/** Whether `b` is `a` with one character inserted, removed or replaced. */
const isOneLetter = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  const maxEnd = Math.min(a.length, b.length) - start
  while (end < maxEnd && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return Math.max(a.length, b.length) - start - end === 1
}

const isTransposed = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

const inOrder = (name: string): string => name.split('-').toSorted().join('-')

/** How `name` is similar to `other`; null if they are equal or not similar. */
export function nearnessOf(name: string, other: string): Nearness | null {
  if (name === other || Math.min(name.length, other.length) < minLength) return null
  if (withoutHyphens(name) === withoutHyphens(other)) return 'hyphens'
  if (singular(name) === singular(other)) return 'plural'
  if (lookAlikes(name) === lookAlikes(other)) return 'look-alike'
  if (isOneLetter(name, other)) return 'letter'
  if (isTransposed(name, other)) return 'transposed'
  if (skeletonOf(name) === skeletonOf(other)) return 'look-alike'
  return !DIRECTED.test(name) && inOrder(name) === inOrder(other) ? 'order' : null
}

const ordersOf = (words: readonly string[]): string[] => {
  if (words.length < 2) return [words.join('')]
  return words.flatMap((first, index) =>
    ordersOf(words.filter((_, other) => other !== index)).map((rest) => `${first}-${rest}`),
  )
}

/**
 * Every string that is one letter, one transposition or a reordering of words away. Not all are valid names. To look
 * them up in a list, `lettersAfter` returns the characters that follow a prefix in it, which leaves out most strings that
 * are not in the list.
 */
export function namesNear(name: string, lettersAfter = (_prefix: string): string => alphabet): string[] {
  const near = new Set<string>()
  let following = alphabet
  for (let at = 0; at <= name.length; at += 1) {
    const before = name.slice(0, at)
    const after = name.slice(at)
    const without = after.slice(1)
    near.add(before + without)
    near.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
    // If nothing follows a prefix, nothing follows a longer one.
    if (following !== '') following = lettersAfter(before)
    for (const letter of alphabet) {
      if (!following.includes(letter)) continue
      near.add(before + letter + after)
      near.add(before + letter + without)
    }
  }
  const words = name.split('-')
  if (words.length <= maxOrdered) for (const ordered of ordersOf(words)) near.add(ordered)
  near.delete(name)
  return [...near]
}
