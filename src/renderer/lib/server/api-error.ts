import type { ErrorCode, ErrorIssue } from '../../../shared/errors.ts'

/**
 * `NETWORK`: no answer at all. `UNREADABLE`: an answer that is not the server's own. `SANDBOX`: a frame of this
 * page that does not do its work.
 */
export type ApiErrorCode = ErrorCode | 'NETWORK' | 'UNREADABLE' | 'SANDBOX'

/** A refusal, or no answer; `message` is a sentence to show as it is. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number | null
  readonly issues: readonly ErrorIssue[]
  readonly requestId: string | null
  /** Seconds after which a repeat may be taken, where the server says so. */
  readonly retryAfter: number | null
  readonly at = new Date()

  constructor(
    code: ApiErrorCode,
    sentence: string,
    details: {
      status?: number
      issues?: readonly ErrorIssue[]
      requestId?: string | null
      retryAfter?: number | null
      cause?: unknown
    } = {},
  ) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status ?? null
    this.issues = details.issues ?? []
    this.requestId = details.requestId ?? null
    this.retryAfter = details.retryAfter ?? null
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const words = error instanceof Error ? error.message : String(error)
  // What Electron puts in front of an error of the app means nothing to a person.
  const sentence = words.replace(/^Error invoking remote method '[^']*': (?:\w*Error: )?/, '')
  return new ApiError('UNREADABLE', sentence, { cause: error })
}

/** What "Copy details" copies: all that helps to find the cause, and nothing of the person's. */
export function describeError(error: ApiError, place: string): string {
  return [
    `what: ${place}`,
    `sentence: ${error.message}`,
    `code: ${error.code}`,
    error.status === null ? null : `status: ${error.status}`,
    error.requestId === null ? null : `request: ${error.requestId}`,
    ...error.issues.map(({ path, message }) => `issue: ${path} ${message}`),
    `at: ${error.at.toISOString()}`,
    error.cause instanceof Error && error.cause.stack !== undefined ? `stack: ${error.cause.stack}` : null,
  ]
    .filter((line) => line !== null)
    .join('\n')
}

/** The sentence for one field of a form, where the refusal names it. */
export function issueOf(error: ApiError | null, path: string): string | null {
  const issue = error?.issues.find((one) => one.path === path || one.path.startsWith(`${path}.`))
  return issue === undefined ? null : `${issue.path} ${issue.message}`
}
