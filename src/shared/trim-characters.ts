// Written as loops: a pattern such as /-+$/ tries again from every character of a long run and takes the square of its
// length.

/** The text without those of `characters` that it ends with. */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The text without those of `characters` that it begins or ends with. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text.charAt(start))) start += 1
  return trimEndCharacters(text.slice(start), characters)
}
