/** Splits a line into arguments as a shell does: at spaces, but not within quotes, which are left out. */
export function splitArguments(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/gu), ([word]) =>
    word.replaceAll(
      /"([^"]*)"?|'([^']*)'?/gu,
      (_, double?: string, single?: string) => double ?? single ?? '',
    ),
  )
}
