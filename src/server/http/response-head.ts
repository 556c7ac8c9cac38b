import type { ServerResponse } from 'node:http'

const added = Symbol('added headers')
/** Names and values in turn. */
type Prepared = ServerResponse & { [added]?: string[] }

/**
 * Adds a header to an answer that has not begun. Node's `setHeader` would validate and convert each header, and again when it
 * is written, which takes a tenth of the time of a small answer.
 */
export function addHeader(res: ServerResponse, name: string, value: string): void {
  const prepared = res as Prepared
  if (prepared[added] === undefined) prepared[added] = [name, value]
  else prepared[added].push(name, value)
}

/** The values that were added for a header. */
export const addedHeaders = (res: ServerResponse, name: string): string[] =>
  ((res as Prepared)[added] ?? []).filter((_, at, all) => at % 2 === 1 && all[at - 1] === name)

/** Begins an answer with the added headers and these, which replace added ones of the same name. */
export function writeHead(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number>>,
): void {
  const before = (res as Prepared)[added] ?? []
  const all: (string | number)[] = []
  for (let at = 0; at < before.length; at += 2) {
    const name = before[at] ?? ''
    if (headers[name] === undefined) all.push(name, before[at + 1] ?? '')
  }
  for (const name of Object.keys(headers)) all.push(name, headers[name] ?? '')
  res.writeHead(status, all)
}
