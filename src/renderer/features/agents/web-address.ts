/** An address that a link may lead to, or null: only http and https do. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
