import { codePointOf } from '../text.ts'

/** `invisible` has no width, `direction` changes the direction of text, `control` is interpreted by terminals. */
export type HiddenKind = 'invisible' | 'direction' | 'control'

export interface HiddenCharacter {
  kind: HiddenKind
  /** Such as `U+200B`. */
  code: string
  /** A few characters before and after it. */
  before: string
  after: string
}

const HIDDEN = /\p{Default_Ignorable_Code_Point}|[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]/gu

const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u
const CONTROL = /\p{Cc}/u
const USUAL = /[\t\n\r]/

/** Flags of regions use tag characters, which are invisible elsewhere. */
const TAGGED_FLAG = /\u{1F3F4}[\u{E0061}-\u{E007A}]{2,6}\u{E007F}/gu

/** Scripts in which joiners shape letters. */
const JOINING =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]$/u

const PICTURE_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u
const HAS_VARIANTS = /[\p{Emoji}\p{Extended_Pictographic}\p{sc=Han}\p{sc=Mongolian}]$/u

/** Emoji and some scripts need hidden characters, which affect their appearance. */
const isNeeded = (character: string, before: string, after: string): boolean => {
  switch (character) {
    case '\u200C':
      return JOINING.test(before)
    case '\u200D':
      return JOINING.test(before) || (PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after))
    default:
      return /\p{Variation_Selector}/u.test(character) && HAS_VARIANTS.test(before)
  }
}

const kindOf = (character: string): HiddenKind => {
  if (DIRECTION.test(character)) return 'direction'
  return CONTROL.test(character) ? 'control' : 'invisible'
}

/** The invisible characters of a text, in order. */
export function findHidden(text: string): HiddenCharacter[] {
  const contextCharacters = 12
  const hidden: HiddenCharacter[] = []
  const plain = text.replaceAll(TAGGED_FLAG, '\u{1F3F4}')
  for (const { 0: character, index } of plain.matchAll(HIDDEN)) {
    if (USUAL.test(character)) continue
    const before = plain.slice(Math.max(0, index - contextCharacters), index)
    const after = plain.slice(index + character.length, index + character.length + contextCharacters)
    if (isNeeded(character, before, after)) continue
    hidden.push({ kind: kindOf(character), code: codePointOf(character), before, after })
  }
  return hidden
}

const LATIN = /\p{sc=Latin}/u
/** Letters that look like Latin ones. Distinct Greek letters, such as μ in μm, are not among them. */
const LOOK_ALIKE = /[\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Cherokee}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοννρι]/u

/** Distinct words that mix Latin letters with look-alikes of other scripts. */
export function findMixedWords(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set(words.filter((word) => LATIN.test(word) && LOOK_ALIKE.test(word)))]
}
