import { z } from 'zod'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatWait } from '../terminal/format-wait.ts'
import { texts } from './registry.texts.ts'
import { plain, plainLine } from '../terminal/terminal.ts'

/** An ErrorResponse. Later registries may send more codes and fields. */
const errorResponseSchema = z.object({
  error: z.string().trim().min(1),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,59}$/)
    .optional()
    .catch(undefined),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .catch(undefined),
})

interface FailedResponse {
  url: URL
  status: number
  /** The Retry-After header. */
  retryAfter: string | undefined
  /** The parsed body; null if it could not be read. */
  body: unknown
  /** What to do if the token is not accepted. */
  signIn: string
}

/** The registry's error with an exit code and what to do next. */
export function toResponseError({
  url,
  status,
  retryAfter: header,
  body,
  signIn,
}: FailedResponse): ClientError {
  const error = errorResponseSchema.safeParse(body).data
  const retryAfter = readRetryAfter(header)
  if (error === undefined) return unreadable(url, status, retryAfter)
  const code = error.code ?? `HTTP_${status}`
  const next = isAboutToken(status, code) ? signIn : nextOf(status, retryAfter)
  const issues = (error.issues ?? []).map(({ path, message }) => ({
    path: plainLine(path),
    message: plain(message),
  }))
  const text = { sentence: plainLine(error.error), next }
  return new ClientError(exitCodeOf(status), text, { code, issues, retryAfter })
}

/** The server may not be a registry, so its 404 does not mean that a release was not found. */
function unreadable(url: URL, status: number, retryAfter: number | null): ClientError {
  return new ClientError(
    status === 404 ? exitCodes.mismatch : exitCodeOf(status),
    texts.response.failed(url.host, status, nextOf(status, retryAfter)),
    { code: `HTTP_${status}`, retryAfter },
  )
}

function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  return status >= 500 ? exitCodes.unreachable : exitCodes.refused
}

/** Not for errors that another token of the same person would not fix. */
const isAboutToken = (status: number, code: string): boolean =>
  status === 401 || (status === 403 && code !== 'NAME_TAKEN' && code !== 'NOT_OWNER')

function nextOf(status: number, retryAfter: number | null): string | null {
  if (retryAfter !== null) return texts.response.tryAgain(formatWait(Math.max(1, retryAfter)))
  if (status === 429) return texts.response.tryInMinutes
  return status >= 500 ? texts.response.tryInMoment : null
}

/** One year. A larger value is ignored as a mistake. */
const maxSeconds = 31_536_000

/** Seconds from whole seconds or a date (RFC 9110, 10.2.3); null for anything else. */
function readRetryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  const seconds = /^\d{1,9}$/.test(value.trim())
    ? Number(value)
    : Math.max(0, Math.ceil((Date.parse(value) - Date.now()) / 1000))
  return seconds <= maxSeconds ? seconds : null
}
