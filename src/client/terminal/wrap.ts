/** Maximum width of text in characters. Longer lines are hard to read. */
export const maxTextWidth = 110

/** Breaks text between words into lines of at most `width` characters. A longer word gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && [...line].length + 1 + [...word].length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
