import { createHmac } from 'node:crypto'
import { lookup as lookUp } from 'node:dns'
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { PrivateAddressError, hostOf, isPrivateUrl, onlyPublic } from '../../operations/public-address.ts'
import { programVersion } from '../../operations/version.ts'
import type { AttemptResult } from './deliveries.service.ts'
import { texts } from './notifications.texts.ts'
import { secretPrefix } from './secrets.rules.ts'

/** Bytes of a failing answer that are read and stored. */
const maxAnswerBytes = 500

export interface WebhookMessage {
  url: string
  /** Each signs the message. */
  secrets: readonly string[]
  messageId: string
  body: string
}

export interface SendOptions {
  /** Whether http:// and private addresses are allowed. */
  mayBePrivate: boolean
  /** Aborts the attempt, which then rejects. */
  signal: AbortSignal
  now: number
  /** Milliseconds within which the receiver must be reached and answer. */
  limitMs: number
  /** Resolves host names, as `dns.lookup` does. */
  resolve?: typeof lookUp
}

/** The headers of the Standard Webhooks specification. The timestamp is in seconds. */
export function signatureHeaders(
  { secrets, messageId, body }: Omit<WebhookMessage, 'url'>,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** Sends one message. Rejects only if `signal` aborts it; every other problem is a failed attempt. */
export async function sendWebhook(message: WebhookMessage, options: SendOptions): Promise<AttemptResult> {
  const url = new URL(message.url)
  const { mayBePrivate, signal, limitMs } = options
  if (url.protocol !== 'https:' && !mayBePrivate) return failed(texts.problem.insecure)
  if (!mayBePrivate && isPrivateUrl(url)) return failed(texts.problem.private(url.hostname, hostOf(url)))
  const limit = AbortSignal.timeout(limitMs)
  try {
    return await readAnswer(await post(url, message, options, AbortSignal.any([signal, limit])))
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) return failed(texts.problem.slow(limitMs / 1000))
    if (error instanceof PrivateAddressError) return failed(texts.problem.private(error.host, error.address))
    return failed(texts.problem.unreachable(reasonOf(error)))
  }
}

function post(
  url: URL,
  message: WebhookMessage,
  { mayBePrivate, now, resolve = lookUp }: SendOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((fulfil, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        // No connection is reused, so that each one is checked.
        agent: false,
        lookup: mayBePrivate ? resolve : onlyPublic(resolve),
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(message.body),
          'user-agent': `Skilldock/${programVersion}`,
          ...signatureHeaders(message, now),
        },
      },
      fulfil,
    )
    sent.on('error', reject)
    sent.end(message.body)
  })
}

async function readAnswer(answer: IncomingMessage): Promise<AttemptResult> {
  const status = answer.statusCode ?? 0
  if (status >= 200 && status <= 299) {
    answer.destroy()
    return { status: 'delivered', answerStatus: status, problem: null }
  }
  if (status >= 300 && status <= 399) {
    answer.destroy()
    const target = (answer.headers.location ?? '').slice(0, 200)
    return { ...failed(texts.problem.redirect(target)), answerStatus: status }
  }
  return {
    ...failed(await readStart(answer)),
    answerStatus: status,
    isFinal: status === 410,
    notBeforeMs: status === 429 || status === 503 ? secondsOf(answer.headers['retry-after']) * 1000 : 0,
  }
}

const failed = (problem: string): AttemptResult => ({ status: 'failed', answerStatus: null, problem })

/** `Retry-After` in seconds; dates are not understood. */
function secondsOf(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : 0
}

/** The beginning of an answer, without control characters. */
async function readStart(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop also ends the transfer.
    if (size >= maxAnswerBytes) break
  }
  const start = Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString()
  return start.replaceAll(/\p{Cc}+/gu, ' ').trim()
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
