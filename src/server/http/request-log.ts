import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '../../shared/errors.ts'
import type { Logger } from '../operations/logging.ts'
import type { ServiceMeter } from './service-meter.ts'

export interface RequestPlace {
  service: string
  requestId: string
  log: Logger
  /** Which requests get a line. */
  lines: 'all' | 'notable'
  meter: Pick<ServiceMeter, 'count' | 'time'>
}

interface Refusal {
  code: ErrorCode
  client: string | undefined
}

const refusals = new WeakMap<ServerResponse, Refusal>()

/** What an answer was refused for, and to whom: stands in the line of its request. */
export function noteRefusal(res: ServerResponse, refusal: Refusal): void {
  refusals.set(res, refusal)
}

/** Milliseconds from which a read that went well is worth a line of its own. */
export const slowMs = 500

/**
 * Counts a request when its answer is out, and writes a line for it. Where only what is notable is written, a quick
 * read that went well has none: a line costs as much as a third of such an answer.
 */
export function noteRequest(place: RequestPlace, req: IncomingMessage, res: ServerResponse): void {
  const startedAt = performance.now()
  // Express changes the address while it looks for the route.
  const { url } = req
  res.once('close', () => {
    const took = performance.now() - startedAt
    place.meter.count()
    // A stream of events lasts as long as somebody looks, which is no measure of anything.
    if (res.getHeader('Content-Type') !== 'text/event-stream') place.meter.time(took)
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const isPlain = res.statusCode < 400 && res.writableFinished && took < slowMs
    if (isPlain && (isLook(url) || (isRead && place.lines === 'notable'))) return
    writeLine(place, req.method, pathOf({ url }), res, took)
  })
}

/** What an open desk or a program that watches the agents asks for all the while: its lines would push the others out of the log that it shows. */
const looks = new Set([
  '/desk/api/log',
  '/desk/api/markdown',
  '/desk/api/services',
  '/api/agents',
  '/api/supervisors',
  '/api/cost',
  '/api/audit',
  '/api/trust',
  '/api/broker',
  '/api/edge',
])

function isLook(url: string | undefined): boolean {
  return looks.has((url ?? '').split('?', 1)[0] ?? '')
}

function writeLine(
  place: RequestPlace,
  method: string | undefined,
  path: string,
  res: ServerResponse,
  took: number,
): void {
  const { service, requestId, log } = place
  const line = { service, requestId, method, path, status: res.statusCode, ms: Math.round(took * 10) / 10 }
  const refusal = refusals.get(res)
  if (refusal !== undefined) log.info({ ...line, ...refusal }, 'refused')
  else log.info(line, res.writableFinished ? 'request' : 'cut off')
}

const longestPath = 200
/** A path that is no longer than this holds no secret. */
const shortestSecret = 20

/** Without the query, which may hold what somebody has put there by mistake, and without what looks like a token. */
export function pathOf(req: Pick<IncomingMessage, 'url'>): string {
  const url = req.url ?? ''
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (path.length <= shortestSecret) return path
  // What is cut off first cannot be searched for long.
  const shown = withoutSecrets(path.slice(0, 2 * longestPath))
  return shown.length <= longestPath ? shown : `${shown.slice(0, longestPath)}…`
}

/** Signed tokens, and random values as codes and session keys are made of them: long, with capitals and small letters. */
const signedToken = /eyJ[\w-]*(?:\.[\w-]*)*/g
const longValue = /[\w-]{32,}/g

export function withoutSecrets(text: string): string {
  return text
    .replaceAll(signedToken, '[removed]')
    .replaceAll(longValue, (value) => (/[A-Z]/.test(value) && /[a-z]/.test(value) ? '[removed]' : value))
}
