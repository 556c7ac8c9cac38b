import type { IncomingMessage } from 'node:http'

/**
 * Headers that decide which host is asked, who asks, or where a body ends. Node keeps the first of several, or joins
 * them; a proxy in front may have gone by another one.
 */
const onceOnly = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'origin',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
])

/** The lower-case name of a header that may appear once and appears more often; null where there is none. */
export function findRepeatedHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | null {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!onceOnly.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}
