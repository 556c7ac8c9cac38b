import { logRoutes, maxLogEntries } from '../../shared/contracts/log.ts'
import { fromBase64 } from '../../shared/log/base64.ts'
import { parseVerifierKey } from '../../shared/log/signed-note.ts'
import type { VerifierKey } from '../../shared/log/signed-note.ts'
import type { ClientError } from '../client-error.ts'
import { TotalTimeoutError, mismatch, unreachable } from '../registry/http-errors.ts'
import { readBody } from '../registry/http.ts'
import type { Registry } from '../registry/registry.ts'
import { texts } from './log.texts.ts'

/** A key or a checkpoint is a few hundred bytes; a checkpoint may have more signatures. */
const maxTextBytes = 65_536

/** Throws if the registry sends something else. */
export async function fetchKey(registry: Registry): Promise<VerifierKey> {
  const text = await fetchText(registry, logRoutes.getLogKey.path)
  const key = parseVerifierKey(text.replace(/\n$/, ''))
  if (key === null) throw invalid(registry)
  return key
}

/** The signed note. */
export const fetchCheckpoint = (registry: Registry): Promise<string> =>
  fetchText(registry, logRoutes.getLogCheckpoint.path)

async function fetchText(registry: Registry, path: string): Promise<string> {
  const { url, response } = await registry.open(path, 'text/plain')
  const bytes = await readBody(url, response, maxTextBytes, registry.options)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalid(registry)
  }
}

/** The hashes that are to prove that the tree of `to` entries begins with the tree of `from` entries. */
export async function fetchConsistency(registry: Registry, from: number, to: number): Promise<Uint8Array[]> {
  const { hashes } = await registry.call(logRoutes.getLogConsistency, { query: { from, to } })
  return decodeAll(registry, hashes)
}

/**
 * The entries from `start` to `end` (exclusive), page by page. Each page must be complete, so that a registry can't
 * extend the number of requests, and all of them together may take as long as one request may.
 */
export async function* fetchEntries(
  registry: Registry,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array[], void> {
  const deadline = performance.now() + registry.options.totalTimeoutMs
  for (let from = start; from < end; from += maxLogEntries) {
    const to = Math.min(from + maxLogEntries, end)
    const { entries } = await registry.call(logRoutes.listLogEntries, { query: { start: from, end: to } })
    if (entries.length !== to - from) throw invalid(registry)
    yield decodeAll(registry, entries)
    if (performance.now() > deadline) throw unreachable(registry.address, new TotalTimeoutError())
  }
}

function decodeAll(registry: Registry, encoded: readonly string[]): Uint8Array[] {
  return encoded.map((text) => {
    const bytes = fromBase64(text)
    if (bytes === null) throw invalid(registry)
    return bytes
  })
}

/** What the registry sent is not a transparency log. */
export const invalid = ({ address }: Registry): ClientError =>
  mismatch(texts.invalid(address.host), 'LOG_INVALID')
