/** Texts that stand in many rows, each kept once; its code stands in the rows. Code 0 is null. */
export interface Words {
  codeOf(text: string | null): number
  /** The code of a text that has come before; null where it has not. */
  find(text: string | null): number | null
  textOf(code: number): string | null
  readonly size: number
}

export function createWords(): Words {
  const texts: (string | null)[] = [null]
  const codes = new Map<string, number>()
  return {
    codeOf(text) {
      if (text === null) return 0
      const known = codes.get(text)
      if (known !== undefined) return known
      const code = texts.length
      texts.push(text)
      codes.set(text, code)
      return code
    },
    find: (text) => (text === null ? 0 : (codes.get(text) ?? null)),
    textOf: (code) => texts[code] ?? null,
    get size() {
      return texts.length
    },
  }
}
