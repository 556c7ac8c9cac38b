/**
 * Makes text from a module safe for a message: invisible characters and those that change the text direction are shown
 * as their code, quotes are escaped, and text longer than `longest` UTF-16 units is cut.
 */
export const printable = (text: string, longest = 80): string => {
  const short = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
  return short.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}"\\]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
