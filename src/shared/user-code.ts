/** No vowels, so that no words can occur, and no letters that look like digits. */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

export const userCodePattern = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/

/** Normalizes a typed code to capitals with a hyphen; null if it is not one. */
export function readUserCode(text: string): string | null {
  // ASCII only: some letters of other alphabets have one of these as their capital.
  const capitals = text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  const letters = capitals.replaceAll(/[\s\p{Pd}]/gu, '')
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`
  return userCodePattern.test(code) ? code : null
}
