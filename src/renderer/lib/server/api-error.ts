import type { ErrorCode, ErrorIssue } from '../../../shared/errors.ts'

/**
 * `NETWORK`: no response. `UNREADABLE`: a response that is not from the server itself, or an error that is not from a
 * request. `SANDBOX`: a sandboxed frame of this page has failed.
 */
type ApiErrorCode = ErrorCode | 'NETWORK' | 'UNREADABLE' | 'SANDBOX'

/** A refused or failed request; `message` can be shown to the person. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number | null
  readonly issues: readonly ErrorIssue[]
  readonly requestId: string | null
  /** Seconds to wait before a retry, if the server says so. */
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
  const message = error instanceof Error ? error.message : String(error)
  // Remove the prefix that Electron adds to errors of the app.
  const sentence = message.replace(/^Error invoking remote method '[^']*': (?:\w*Error: )?/, '')
  return new ApiError('UNREADABLE', sentence, { cause: error })
}

/** Whether the server may have carried out the request: it did not answer, or a proxy answered for it. */
export const isUnanswered = ({ status }: ApiError): boolean => status === null || status >= 500

/** The text that "Copy details" copies: what helps to find the cause, without personal data. */
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

/** The message for one field of a form, if the error names it. */
export function issueOf(error: unknown, path: string): string | null {
  const { issues } = error === null ? { issues: [] } : asApiError(error)
  const issue = issues.find((one) => one.path === path || one.path.startsWith(`${path}.`))
  return issue === undefined ? null : `${issue.path} ${issue.message}`
}
