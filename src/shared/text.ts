/** How many characters a person would count: an emoji outside the first plane is one, not two. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** One character that shows nothing: white space, or a zero-width or filler character such as U+200B. */
const blankCharacter = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]$/u

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  for (const character of text) if (!blankCharacter.test(character)) return false
  return true
}
