import type { ErrorCode } from '../../shared/errors.ts'
import type { Route } from '../../shared/route.ts'

/** The one place that knows which HTTP status a code has (section 7 and rulings, "Bodies"). */
const statuses: Record<ErrorCode, number> = {
  BAD_REQUEST: 400,
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  INVALID_MULTIPART: 400,
  INVALID_MANIFEST: 400,
  INVALID_PACKAGE: 400,
  MANIFEST_TOO_LARGE: 400,
  PACKAGE_TOO_LARGE: 400,
  BODY_TOO_LARGE: 400,
  BODY_INCOMPLETE: 400,
  HEADERS_TOO_LARGE: 431,
  TOKEN_MISSING: 401,
  TOKEN_INVALID: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_REVOKED: 401,
  CODE_INVALID: 401,
  SESSION_MISSING: 401,
  SELF_REVIEW: 403,
  FORBIDDEN: 403,
  SCOPE_INSUFFICIENT: 403,
  NAME_TAKEN: 403,
  HOST_FORBIDDEN: 403,
  ORIGIN_FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  VERSION_EXISTS: 409,
  INVALID_TRANSITION: 409,
  GROWTH_NOT_SEEN: 409,
  EVIDENCE_MISMATCH: 400,
  ALREADY_JUDGED: 409,
  EDITED_ELSEWHERE: 409,
  SLUG_TAKEN: 409,
  IMAGE_IN_USE: 409,
  INVALID_IMAGE: 400,
  PORT_TAKEN: 409,
  PERSON_EXISTS: 409,
  LAST_ADMINISTRATOR: 409,
  QUOTA_EXCEEDED: 429,
  TOO_MANY_REQUESTS: 429,
  ISSUER_UNAVAILABLE: 503,
  DATABASE_UNAVAILABLE: 503,
  AGENTS_UNAVAILABLE: 503,
  STORAGE_UNAVAILABLE: 503,
  PACKAGE_CORRUPT: 503,
  VALIDATOR_UNAVAILABLE: 503,
  MARKDOWN_UNAVAILABLE: 503,
  STOPPING: 503,
  INTERNAL: 500,
}

/** `kind`: that of the route, where it has one. */
export function statusOf(code: ErrorCode, kind?: Route['statuses']): number {
  const status = statuses[code]
  if (kind !== 'upload' || code === 'STOPPING') return status
  if (status === 401) return 403
  return status === 503 ? 500 : status
}
