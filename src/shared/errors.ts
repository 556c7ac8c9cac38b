/**
 * All error codes. They are stable, because clients may depend on them (rulings, "Compatibility policy"). Their HTTP
 * statuses are defined in `server/http/statuses.ts`.
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
  'PASSKEY_REFUSED',
  'SIGN_IN_REFUSED',
  'SESSION_MISSING',
  'FORBIDDEN',
  'SCOPE_INSUFFICIENT',
  'NAME_TAKEN',
  'NOT_OWNER',
  'NOT_TRUSTED',
  'HOST_FORBIDDEN',
  'ORIGIN_FORBIDDEN',
  'NOT_FOUND',
  'NAME_UNKNOWN',
  'NAME_INVALID',
  'MANIFEST_UNKNOWN',
  'BLOB_UNKNOWN',
  'DIGEST_INVALID',
  'METHOD_NOT_ALLOWED',
  'VERSION_EXISTS',
  'INVALID_TRANSITION',
  'MIRROR_READ_ONLY',
  'GROWTH_NOT_SEEN',
  'EVIDENCE_MISMATCH',
  'SELF_REVIEW',
  'ALREADY_JUDGED',
  'NOTHING_ASKED',
  'THREAD_CLOSED',
  'THREAD_FULL',
  'EDITED_ELSEWHERE',
  'SLUG_TAKEN',
  'IMAGE_IN_USE',
  'INVALID_IMAGE',
  'PORT_TAKEN',
  'PERSON_EXISTS',
  'LAST_ADMINISTRATOR',
  'LAST_OWNER',
  'ALREADY_OWNER',
  'TOO_MANY_OWNERS',
  'TOO_MANY_PUBLISHERS',
  'QUOTA_EXCEEDED',
  'TOO_MANY_REQUESTS',
  'ISSUER_UNAVAILABLE',
  'DATABASE_UNAVAILABLE',
  'AGENTS_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'UNCONFIRMED',
  'WRITER_REPLACED',
  'PACKAGE_CORRUPT',
  'VALIDATOR_UNAVAILABLE',
  'MARKDOWN_UNAVAILABLE',
  'STOPPING',
  'INTERNAL',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** One problem. `path` is a field such as `examples.0.input`, or a part such as `wasm`. */
export interface ErrorIssue {
  path: string
  message: string
}

interface ErrorDetails {
  issues?: ErrorIssue[]
  /** Seconds after which a retry may succeed; sent as `Retry-After`. */
  retryAfter?: number
  cause?: unknown
}

/**
 * An error with a stable code and one sentence that a person can act on. Domain code throws it without knowing about
 * HTTP. The sentence is shown to users unchanged, so it must not contain paths, SQL or stack traces.
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

/** What a thrown value says. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** The code of an error of the system, SQLite or this program, such as `ENOENT`; null without one. */
export const codeOf = (thrown: unknown): string | null =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null
