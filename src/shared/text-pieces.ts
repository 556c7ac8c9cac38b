import { codePointOf } from './text.ts'

/** A run of ordinary text, or a character that is invisible, changes the text direction or looks like a space. */
type TextPiece = { text: string } | { code: string }

// Format and control characters, separators and spaces other than U+0020, invisible letters and selectors. Line feeds
// and tabs are ordinary text.
const hidden =
  /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Zs}\p{Variation_Selector}]|\u{34f}|[\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]|\u{17b4}|\u{17b5}/gu
const plain = new Set(['\n', '\t', ' '])

/** Each code becomes an element of the page. Further codes are written into the text. */
const maxCodes = 100

/** Splits a text so that invisible characters can be shown as their code. */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let codes = 0
  let from = 0
  let rest = ''
  for (const match of text.matchAll(hidden)) {
    const [character] = match
    if (plain.has(character) || belongsToEmoji(text, match.index, character)) continue
    const before = text.slice(from, match.index)
    from = match.index + character.length
    codes += 1
    if (codes > maxCodes) rest += `${before}[${codePointOf(character)}]`
    else {
      if (before !== '') pieces.push({ text: before })
      pieces.push({ code: codePointOf(character) })
    }
  }
  rest += text.slice(from)
  if (rest !== '') pieces.push({ text: rest })
  return pieces
}

/** Joiners and variation selectors within an emoji are part of its appearance. */
function belongsToEmoji(text: string, index: number, character: string): boolean {
  const before = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[0-9#*])\ufe0f?$/u.test(
    text.slice(Math.max(0, index - 4), index),
  )
  if (character === '\ufe0f') return before
  return character === '\u200d' && before && /^\p{Extended_Pictographic}/u.test(text.slice(index + 1))
}
