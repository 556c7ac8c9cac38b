/** How many characters a person would count: an emoji outside the first plane is one, not two. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
