/** Maximum nesting of lists and quotations; no legitimate text comes near it. */
const maxDepth = 50

const container = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])/y
const rule = /^[ \t]*([-*])(?:[ \t]|\1)*$/

/**
 * Whether a line opens so many lists and quotations that it must not be parsed: marked reads the rest of the line again
 * for each of them, and overflows the stack at a few thousand. One pass over the text.
 */
export function isTooDeep(markdown: string): boolean {
  return markdown.split('\n').some((line) => opensTooMany(line) && !rule.test(line))
}

function opensTooMany(line: string): boolean {
  container.lastIndex = 0
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    if (!container.test(line)) return false
  }
  return true
}
