import type { IncomingMessage, ServerResponse } from 'node:http'
import { dashboardRoutes } from '../../shared/contracts/dashboard.ts'
import { mcpPath } from '../../shared/contracts/mcp.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import type { Logger } from '../operations/logging.ts'
import type { RequestMeter } from './service-meter.ts'
import { logTexts } from '../operations/log.texts.ts'

interface RequestContext {
  service: string
  requestId: string
  log: Logger
  /** Which requests are logged. */
  lines: 'all' | 'notable'
  meter: RequestMeter
}

interface Refusal {
  code: ErrorCode
  client: string | undefined
}

const refusals = new WeakMap<ServerResponse, Refusal>()

/** Records why a request was refused and who sent it, for its log line. */
export function noteRefusal(res: ServerResponse, refusal: Refusal): void {
  refusals.set(res, refusal)
}

const streams = new WeakSet<ServerResponse>()

/** Excludes an event stream from the response times, because its duration says nothing about performance. */
export function noteStream(res: ServerResponse): void {
  streams.add(res)
}

/** Milliseconds from which a successful read is logged as slow. */
const slowMs = 500

/**
 * Counts and logs a request once it is answered. With `notable`, quick successful reads are not logged: a line costs a
 * third as much as such an answer.
 */
export function noteRequest(context: RequestContext, req: IncomingMessage, res: ServerResponse): void {
  const startedAt = performance.now()
  res.once('close', () => {
    const took = performance.now() - startedAt
    const { meter } = context
    const isTimed = !streams.has(res)
    meter.count()
    if (isTimed) meter.time(took)
    meter.routes.add(res, isTimed ? took : null)
    const isRead = req.method === 'GET' || req.method === 'HEAD' || req.url === mcpPath
    const isPlain = res.statusCode < 400 && res.writableFinished && took < slowMs
    if (isPlain && (isPolled(req.url) || (isRead && context.lines === 'notable'))) return
    writeLine(context, req.method, pathOf(req), res, took)
  })
}

/** Paths that an open desk or a dashboard polls; logging them would push everything else out of the log. */
const polledPaths = new Set([
  '/desk/api/log',
  '/desk/api/markdown',
  '/desk/api/services',
  ...Object.values(dashboardRoutes).map(({ path }) => path),
])

function isPolled(url: string | undefined): boolean {
  return polledPaths.has((url ?? '').split('?', 1)[0] ?? '')
}

function writeLine(
  context: RequestContext,
  method: string | undefined,
  path: string,
  res: ServerResponse,
  took: number,
): void {
  const { service, requestId, log } = context
  const line = { service, requestId, method, path, status: res.statusCode, ms: Math.round(took * 10) / 10 }
  const refusal = refusals.get(res)
  if (refusal !== undefined) log.info({ ...line, ...refusal }, logTexts.refused)
  else log.info(line, res.writableFinished ? logTexts.request : logTexts.cutOff)
}

const longestPath = 200
/** A path up to this length contains no secret. */
const shortestSecret = 20

/** The path without its query, which may contain a secret by mistake, and without anything that looks like a token. */
export function pathOf(req: Pick<IncomingMessage, 'url'>): string {
  const url = req.url ?? ''
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (path.length <= shortestSecret) return path
  // Truncated first to limit the time of the search.
  const shown = withoutSecrets(path.slice(0, 2 * longestPath))
  return shown.length <= longestPath ? shown : `${shown.slice(0, longestPath)}…`
}

/** Signed tokens, and random values such as codes and session keys: long, with uppercase and lowercase letters. */
const signedToken = /eyJ[\w-]*(?:\.[\w-]*)*/g
const longValue = /[\w-]{32,}/g

export function withoutSecrets(text: string): string {
  return text
    .replaceAll(signedToken, '[removed]')
    .replaceAll(longValue, (value) => (/[A-Z]/.test(value) && /[a-z]/.test(value) ? '[removed]' : value))
}
