/** More than 50 lists and quotations within each other, which is more than anybody reads. */
const containers = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){51}/

/**
 * Whether a line opens so many lists and quotations at once that Markdown is not worth its time: marked looks at the
 * rest of the line anew for each of them, and gives up with an error at some thousands.
 */
export function isTooDeep(markdown: string): boolean {
  // A rule is a line of such marks and of nothing else.
  return markdown
    .split('\n')
    .some((line) => containers.test(line) && !/^[ \t]*([-*])[ \t]*(?:\1[ \t]*)*$/.test(line))
}
