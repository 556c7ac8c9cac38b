// Written as loops, because a pattern such as /-+$/ restarts at every character of a long run and takes quadratic time.

/** Removes any of `characters` from the end of the text. */
export function trimEndCharacters(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Removes any of `characters` from both ends of the text. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text.charAt(start))) start += 1
  return trimEndCharacters(text.slice(start), characters)
}
