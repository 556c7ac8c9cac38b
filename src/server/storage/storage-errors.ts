import { DomainError, codeOf } from '../../shared/errors.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'

/** Seconds that a client is asked to wait while the storage is unavailable. */
const retryAfterSeconds = 5

const unavailableCodes = new Set([
  'EACCES',
  'EBUSY',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'ESTALE',
])

/** A request to the bucket that failed, after all tries. Nothing was stored, or it was stored and can be stored again. */
export class BucketError extends Error {
  override readonly name = 'BucketError'
  /** Such as `403 SignatureDoesNotMatch` or `ECONNREFUSED`. */
  readonly code: string
  /** The status of the answer; null if there was none. */
  readonly status: number | null
  /** Whether the same request may succeed later. */
  readonly mayPass: boolean

  constructor(code: string, status: number | null, mayPass: boolean, cause: unknown) {
    super(`The bucket cannot be used: ${code}. ${nextStep(status)}`, { cause })
    this.code = code
    this.status = status
    this.mayPass = mayPass
  }
}

function nextStep(status: number | null): string {
  if (status === null) return 'Check SKILLDOCK_S3_ENDPOINT and the network.'
  if (status === 404) return 'Create the bucket, or correct SKILLDOCK_STORAGE.'
  if (status === 401 || status === 403)
    return 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do.'
  return 'Try again later.'
}

/** Statuses of S3 after which the same request may succeed. */
const passing = new Set([408, 429, 500, 502, 503, 504])

/** Why a request to the bucket failed, or a stream from it ended. */
export function toBucketError(error: unknown): BucketError {
  if (error instanceof BucketError) return error
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
    const code = 'serviceCode' in error ? String(error.serviceCode) : ''
    return new BucketError(`${error.status} ${code}`.trim(), error.status, passing.has(error.status), error)
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return new BucketError('no answer in time', null, false, error)
  const reason = codeOf(cause) ?? String(cause)
  return new BucketError(reason, null, true, error)
}

/** STORAGE_UNAVAILABLE for an error that means the storage is unavailable, otherwise null. */
export function asStorageUnavailable(error: unknown): DomainError | null {
  if (!(error instanceof BucketError) && !isUnavailable(error)) return null
  return new DomainError('STORAGE_UNAVAILABLE', unavailableTexts.storage, {
    retryAfter: retryAfterSeconds,
    cause: error,
  })
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return false
  return typeof error.code === 'string' && unavailableCodes.has(error.code)
}
