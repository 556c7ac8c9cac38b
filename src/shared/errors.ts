/**
 * The closed list of error codes. A code is stable: clients may depend on it (rulings, "Compatibility
 * policy"). Which HTTP status a code has is known to `server/http/statuses.ts` alone.
 */
export const errorCodes = [
  'BAD_REQUEST',
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'INVALID_MULTIPART',
  'INVALID_MANIFEST',
  'INVALID_PACKAGE',
  'MANIFEST_TOO_LARGE',
  'PACKAGE_TOO_LARGE',
  'BODY_TOO_LARGE',
  'BODY_INCOMPLETE',
  'HEADERS_TOO_LARGE',
  'TOKEN_MISSING',
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'TOKEN_REVOKED',
  'CODE_INVALID',
  'SESSION_MISSING',
  'FORBIDDEN',
  'SCOPE_INSUFFICIENT',
  'NAME_TAKEN',
  'HOST_FORBIDDEN',
  'ORIGIN_FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'VERSION_EXISTS',
  'INVALID_TRANSITION',
  'GROWTH_NOT_SEEN',
  'EVIDENCE_MISMATCH',
  'SELF_REVIEW',
  'ALREADY_JUDGED',
  'EDITED_ELSEWHERE',
  'SLUG_TAKEN',
  'IMAGE_IN_USE',
  'INVALID_IMAGE',
  'PORT_TAKEN',
  'PERSON_EXISTS',
  'LAST_ADMINISTRATOR',
  'QUOTA_EXCEEDED',
  'TOO_MANY_REQUESTS',
  'ISSUER_UNAVAILABLE',
  'DATABASE_UNAVAILABLE',
  'AGENTS_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'PACKAGE_CORRUPT',
  'VALIDATOR_UNAVAILABLE',
  'MARKDOWN_UNAVAILABLE',
  'STOPPING',
  'INTERNAL',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** One thing that is wrong, and where: `path` is a field such as `examples.0.input`, or a part such as `wasm`. */
export interface ErrorIssue {
  path: string
  message: string
}

export interface ErrorDetails {
  issues?: ErrorIssue[]
  /** Seconds after which a repeat may succeed; becomes `Retry-After`. */
  retryAfter?: number
  cause?: unknown
}

/**
 * A refusal with a stable code and one sentence that a person can act on. Domain code throws it and knows
 * no HTTP status; the sentence is shown as it is, so it never carries a path, SQL or a stack.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly issues: ErrorIssue[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.issues = details.issues
    this.retryAfter = details.retryAfter
  }
}
