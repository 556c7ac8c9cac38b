import { DomainError } from '../../shared/errors.ts'
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

/** STORAGE_UNAVAILABLE for a file system error that means the storage is unavailable, otherwise null. */
export function asStorageUnavailable(error: unknown): DomainError | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null
  if (typeof error.code !== 'string' || !unavailableCodes.has(error.code)) return null
  return new DomainError('STORAGE_UNAVAILABLE', unavailableTexts.storage, {
    retryAfter: retryAfterSeconds,
    cause: error,
  })
}
