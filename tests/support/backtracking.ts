import process from 'node:process'
import { createContext, runInContext } from 'node:vm'
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'

/** The time that a pattern took for one text. */
export interface Timing {
  text: string
  /** CPU time in milliseconds until it finished or was interrupted. */
  took: number
}

const textLength = 50_000
/** Length of a first, shorter text that rules out most shapes: at quadratic time it takes limit / 25. */
const shortLength = 10_000
/** A repetition of fewer characters cannot make a long text slow. */
const longRepetition = 10
/** Milliseconds until the search is first interrupted, because a match may backtrack forever. */
const firstInterruption = 1_000

const printableAscii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index))
const commonCharacters = [...'aA0 \n\0', ...printableAscii, ...'\u00A0é\u0301中\u200B\uFE0F\u{1F600}']
/** The number of samples for a character class; characters named in the pattern come first. */
const samplesOfClass = 8

/** Endings that do not match most patterns, so that a match fails at the end of the text. */
const endings = ['', '\0', '!', 'a', ' ', '\n', '\n\0', '"', '<']

/**
 * Runs a pattern on long texts chosen to make it backtrack: a sample of each repetition is repeated after a text that
 * matches the part before it, and on its own. Searches for all matches, like `replaceAll` and `matchAll`.
 * Stops at the first text that takes longer than `limit`.
 */
export function findSlowText(pattern: RegExp, limit: number): Timing | null {
  const shapes = slowShapes(pattern)
  let index = 0
  let text = ''
  let before = process.threadCpuUsage()
  const took = (): number => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  const timeOf = (next: string): number => {
    text = next
    before = process.threadCpuUsage()
    text.replace(pattern, '')
    return took()
  }
  const search = (): boolean => {
    for (let shape = shapes[index]; shape !== undefined; shape = shapes[(index += 1)]) {
      const isSuspect = timeOf(textOf(shape, shortLength)) > limit / 50
      if (isSuspect && timeOf(textOf(shape, textLength)) > limit) return true
    }
    return false
  }
  const context = createContext({ search })
  for (let timeout = firstInterruption; ; timeout *= 2) {
    try {
      return runInContext('search()', context, { timeout }) === true ? { text, took: took() } : null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      // If earlier texts or other programs used most of the time, this text is tried again with more.
      if (took() > limit) return { text, took: took() }
    }
  }
}

/** A text that begins with `head`, repeats `pump` and ends with `ending`. */
interface Shape {
  head: string
  pump: string
  ending: string
}

function textOf({ head, pump, ending }: Shape, length: number): string {
  return head + pump.repeat(Math.ceil(length / pump.length)) + ending
}

/** The texts for a pattern; none if it has no long repetition and thus reads few characters from each position. */
function slowShapes(pattern: RegExp): Shape[] {
  const ast = new RegExpParser().parseLiteral(String(pattern))
  const samples = createSamples(ast, pattern.flags)
  const pumps = new Set<string>()
  const heads = new Map<string, string>()
  const visit = (node: AST.Element | AST.Alternative, before: string): void => {
    switch (node.type) {
      case 'Alternative': {
        let head = before
        for (const element of node.elements) {
          visit(element, head)
          head += samples.of(element)[0] ?? ''
        }
        break
      }
      case 'Quantifier':
        if (node.max >= longRepetition) {
          for (const sample of samples.of(node.element)) {
            if (sample === '') continue
            pumps.add(sample)
            heads.set(`${before}\0${sample}`, before)
          }
        }
        visit(node.element, before)
        break
      case 'Group':
      case 'CapturingGroup':
      case 'Assertion':
        if ('alternatives' in node) for (const alternative of node.alternatives) visit(alternative, before)
        break
      default:
        break
    }
  }
  for (const alternative of ast.pattern.alternatives) visit(alternative, '')
  if (pumps.size === 0) return []
  const shapes = new Map<string, Omit<Shape, 'ending'>>()
  const add = (head: string, pump: string): void => void shapes.set(`${head}\0${pump}`, { head, pump })
  for (const [key, head] of heads) add(head, key.slice(head.length + 1))
  // A match may start at every position and only fail far beyond it.
  for (const pump of pumps) {
    add('', pump)
    add('\0', pump)
  }
  for (const head of new Set(heads.values())) {
    if (head === '') continue
    add('', head)
    for (const pump of pumps) add('', head + pump)
  }
  return [...shapes.values()].flatMap((shape) => endings.map((ending) => ({ ...shape, ending })))
}

/** Short texts that a part of a pattern matches. */
function createSamples(
  ast: AST.RegExpLiteral,
  flags: string,
): { of(node: AST.Element | AST.Alternative): string[] } {
  const named = new Set<string>()
  visitRegExpAST(ast, { onCharacterEnter: ({ value }) => named.add(String.fromCodePoint(value)) })
  const candidates = [...new Set([...named, ...commonCharacters])]
  const charactersOf = (raw: string): string[] => {
    const one = new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gy]/g, ''))
    const matching = candidates.filter((character) => one.test(character))
    // A common character comes first, because the first sample surrounds the repeated part.
    const usual = matching.find((character) => !named.has(character))
    return [...new Set([usual ?? '', ...matching])].filter((found) => found !== '').slice(0, samplesOfClass)
  }
  const join = (parts: readonly string[][]): string[] => {
    const first = parts.map((part) => part[0] ?? '').join('')
    // The other samples of each part are combined with the first samples of the rest.
    const others = parts.flatMap((part, index) =>
      part
        .slice(1, samplesOfClass)
        .map((sample) => parts.map((other, place) => (place === index ? sample : (other[0] ?? ''))).join('')),
    )
    return [...new Set([first, ...others])].slice(0, 16)
  }
  const of = (node: AST.Element | AST.Alternative): string[] => {
    switch (node.type) {
      case 'Alternative':
        return join(node.elements.map(of))
      case 'Group':
      case 'CapturingGroup':
        return [...new Set(node.alternatives.flatMap(of))].slice(0, 16)
      case 'Quantifier': {
        const count = Math.max(1, node.min)
        const repeated = of(node.element).map((sample) => sample.repeat(count))
        return node.min === 0 ? [...repeated, ''] : repeated
      }
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return charactersOf(node.raw)
      default:
        return ['']
    }
  }
  return { of }
}
