import type { IncomingMessage } from 'node:http'
import { texts } from './http.texts.ts'

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
function findRepeatedHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | null {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!onceOnly.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}

/** An absolute request target with its host. */
const absoluteTarget = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i

/**
 * Explains why a proxy in front could read this request differently than this server does: which host it is for, or where its body
 * ends. Returns null for an unambiguous request.
 */
export function findAmbiguity(req: IncomingMessage): string | null {
  const { headers, httpVersion, url = '' } = req
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return texts.request.invalid
  if (headers.host === undefined && httpVersion === '1.1') return texts.request.noHost
  const repeated = findRepeatedHeader(req)
  if (repeated !== null) return texts.request.repeatedHeader(repeated)
  const coding = headers['transfer-encoding']
  // Node accepts other codings before `chunked`, and `chunked` in HTTP/1.0, where a proxy may ignore it.
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return texts.request.transferEncoding
  }
  const named = url.startsWith('/') ? undefined : absoluteTarget.exec(url)?.[1]
  if (named !== undefined && named.toLowerCase() !== headers.host?.toLowerCase())
    return texts.request.otherHost
  return null
}
