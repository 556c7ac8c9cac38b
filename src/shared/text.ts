/** How many characters a person would count: an emoji outside the first plane is one, not two. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** One character that shows nothing: white space, or a zero-width or filler character such as U+200B. */
const blankCharacter = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]$/u

/** The code points from the first to the last that can be seen. */
export function countVisible(text: string): number {
  const characters = [...text]
  const isVisible = (character: string): boolean => !blankCharacter.test(character)
  const first = characters.findIndex(isVisible)
  return first === -1 ? 0 : characters.findLastIndex(isVisible) - first + 1
}

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return countVisible(text) === 0
}
