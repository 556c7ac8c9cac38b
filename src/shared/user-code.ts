/** No vowels, so that no words come about, and nothing that is taken for a digit. */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

export const userCodePattern = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/

/** The code that somebody has typed, in capitals and with its hyphen; null where it is none. */
export function readUserCode(text: string): string | null {
  // Letters of other alphabets have capitals among these as well, and were never shown.
  const capitals = text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
  const letters = capitals.replaceAll(/[\s\p{Pd}]/gu, '')
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`
  return userCodePattern.test(code) ? code : null
}
