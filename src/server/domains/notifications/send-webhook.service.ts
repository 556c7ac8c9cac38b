import { createHmac } from 'node:crypto'
import { OutboundError, requestOutside } from '../../outbound/outbound-request.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/outbound-request.ts'
import type { AttemptResult } from './deliveries.service.ts'
import { texts } from './notifications.texts.ts'
import { secretPrefix } from './secrets.rules.ts'

/** Bytes of a failing answer that are read and stored. */
const maxAnswerBytes = 500

interface WebhookMessage {
  url: string
  /** Each signs the message. */
  secrets: readonly string[]
  messageId: string
  body: string
}

interface SendOptions extends Pick<OutboundRequest, 'mayBePrivate' | 'limitMs' | 'resolve'> {
  /** Aborts the attempt, which then rejects. */
  signal: AbortSignal
  now: number
}

/** The headers of the Standard Webhooks specification. The timestamp is in seconds. */
function signatureHeaders(
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
export async function sendWebhook(
  message: WebhookMessage,
  { now, ...options }: SendOptions,
): Promise<AttemptResult> {
  try {
    const answer = await requestOutside(message.url, {
      ...options,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signatureHeaders(message, now) },
      body: message.body,
      maxBytes: (status) => (isSuccess(status) ? 0 : maxAnswerBytes),
    })
    return describeAnswer(answer)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return {
      status: 'failed',
      answerStatus: error.status,
      problem: describeProblem(error, new URL(message.url).hostname, options.limitMs),
    }
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299

function describeAnswer({ status, headers, body }: OutboundAnswer): AttemptResult {
  if (isSuccess(status)) return { status: 'delivered', answerStatus: status, problem: null }
  return {
    status: 'failed',
    answerStatus: status,
    problem: body
      .toString()
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
    isFinal: status === 410,
    notBeforeMs: status === 429 || status === 503 ? secondsOf(headers.get('retry-after')) * 1000 : 0,
  }
}

function describeProblem({ problem, detail }: OutboundError, host: string, limitMs: number): string {
  if (problem === 'insecure') return texts.problem.insecure
  if (problem === 'private') return texts.problem.private(host, detail)
  if (problem === 'redirect') return texts.problem.redirect(detail)
  if (problem === 'slow') return texts.problem.slow(limitMs / 1000)
  return texts.problem.unreachable(detail)
}

/** `Retry-After` in seconds; dates are not understood. */
function secondsOf(header: string | null): number {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : 0
}
