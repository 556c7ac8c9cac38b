import { DomainError } from '../../shared/errors.ts'

/** Seconds that a client is asked to wait while the storage is away. */
const retryAfterSeconds = 5

const awayCodes = new Set([
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

/** The refusal for an error of the file system that means "away", or null for any other error. */
export function asStorageUnavailable(error: unknown): DomainError | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null
  if (typeof error.code !== 'string' || !awayCodes.has(error.code)) return null
  return new DomainError(
    'STORAGE_UNAVAILABLE',
    'The storage cannot be reached at the moment; nothing was changed. Try again in a few seconds.',
    { retryAfter: retryAfterSeconds, cause: error },
  )
}
