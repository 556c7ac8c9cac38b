/** Splits a line into arguments like a shell: at spaces outside of quotes. The quotes are removed. */
export function splitArguments(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/gu), ([word]) =>
    word.replaceAll(
      /"([^"]*)"?|'([^']*)'?/gu,
      (_, double?: string, single?: string) => double ?? single ?? '',
    ),
  )
}
