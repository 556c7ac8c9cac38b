import { texts } from './validation.texts.ts'

/** Why a text that JSON.parse accepts is rejected. */
interface UnsafeJson {
  /** The offending key; null if the text as a whole is rejected. */
  key: string | null
  /** Completes a sentence that starts with the key or the name of the text. */
  message: string
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/**
 * Finds what JSON.parse accepts silently: a key that appears twice in one object (parsers disagree about its value),
 * `__proto__`, and nesting deeper than `maxDepth`. `text` must be valid JSON. Takes linear time.
 */
export function findUnsafeJson(text: string, maxDepth: number): UnsafeJson | null {
  /** The keys seen so far of each open object; null for an open array. */
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null)
      if (open.length > maxDepth) return { key: null, message: texts.tooDeep }
    } else if (character === '}' || character === ']') {
      open.pop()
    } else if (character === '"') {
      const start = at
      at = endOfString(text, start)
      if (!isKey(text, at + 1)) continue
      const key = JSON.parse(text.slice(start, at + 1)) as string
      if (key === '__proto__') return { key, message: texts.unknownField }
      if (open.at(-1)?.has(key)) return { key, message: texts.repeatedField }
      open.at(-1)?.add(key)
    }
  }
  return null
}

/** The position of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

/** Whether a colon follows, possibly after whitespace. */
function isKey(text: string, from: number): boolean {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at += 1
  return text.charCodeAt(at) === colon
}
