import { z } from 'zod'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { inTime } from '../in-time.ts'
import { plain, plainLine } from '../terminal/terminal.ts'

/** An ErrorResponse, of which later registries may know more codes and fields. */
const refusalSchema = z.object({
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

export interface Refused {
  url: URL
  status: number
  /** The header Retry-After. */
  retryAfter: string | undefined
  /** What stands in the body, where that could be read. */
  body: unknown
  /** What to do where the token is not taken. */
  signIn: string
}

/** What the registry said, what that means for scripts, and what to do next. */
export function refusal({ url, status, retryAfter: header, body, signIn }: Refused): ClientError {
  const said = refusalSchema.safeParse(body).data
  const retryAfter = readRetryAfter(header)
  if (said === undefined) return unreadable(url, status, retryAfter)
  const code = said.code ?? `HTTP_${status}`
  const next = isAboutToken(status, code) ? signIn : nextOf(status, retryAfter)
  return new ClientError(exitCodeOf(status), plainLine(said.error), {
    code,
    issues: (said.issues ?? []).map(({ path, message }) => ({
      path: plainLine(path),
      message: plain(message),
    })),
    retryAfter,
    ...(next === null ? {} : { next }),
  })
}

/** It may be no registry at all: that it knows no release of a name means nothing then. */
function unreadable(url: URL, status: number, retryAfter: number | null): ClientError {
  return new ClientError(
    status === 404 ? exitCodes.mismatch : exitCodeOf(status),
    `${url.host} answered with status ${status} and no reason that can be read.`,
    {
      code: `HTTP_${status}`,
      retryAfter,
      next: nextOf(status, retryAfter) ?? 'Is that the address of a Skilldock registry?',
    },
  )
}

function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404) return exitCodes.notFound
  return status >= 500 ? exitCodes.unreachable : exitCodes.refused
}

/** A name that is somebody else's stays so with every token. */
const isAboutToken = (status: number, code: string): boolean =>
  status === 401 || (status === 403 && code !== 'NAME_TAKEN')

function nextOf(status: number, retryAfter: number | null): string | null {
  if (retryAfter !== null) return `Try again ${inTime(Math.max(1, retryAfter))}.`
  if (status === 429) return 'Try again in a few minutes.'
  return status >= 500 ? 'Try again in a moment. If it goes on, tell whoever runs the registry.' : null
}

/** Whoever asks for more than a year does not mean it. */
const mostSeconds = 31_536_000

/** Whole seconds or a date (RFC 9110, 10.2.3); null where it is neither. */
function readRetryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  const seconds = /^\d{1,9}$/.test(value.trim())
    ? Number(value)
    : Math.max(0, Math.ceil((Date.parse(value) - Date.now()) / 1000))
  return seconds <= mostSeconds ? seconds : null
}
