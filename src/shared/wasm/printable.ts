/**
 * Makes text from a module safe for a message: invisible characters and those that change the text direction are shown
 * as their code, quotes are escaped, and text longer than `maxLength` UTF-16 units is cut.
 */
export const printable = (text: string, maxLength = 80): string => {
  const short = text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
  return short.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}"\\]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
