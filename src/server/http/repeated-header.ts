import type { IncomingMessage } from 'node:http'

/**
 * Headers that decide about host, caller or body length. Node keeps the first of several or joins them, but a proxy in
 * front may have used another one.
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

/** The lowercase name of a header that was wrongly sent more than once, or null. */
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
