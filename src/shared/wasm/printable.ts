/**
 * Text out of a module, fit for a message: what cannot be seen, or turns text around, is shown as its
 * number, quotes are escaped, and what is longer than `longest` UTF-16 units is cut.
 */
export const printable = (text: string, longest = 80): string => {
  const short = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
  return short.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}"\\]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
