import { DomainError } from '../shared/errors.ts'
import { ClientError } from './client-error.ts'
import { exitCodes } from './exit-codes.ts'

/** Converts anything thrown to an error that can be printed. `signal` is aborted by Ctrl+C. */
export function toClientError(error: unknown, signal: AbortSignal): ClientError {
  if (error instanceof ClientError) return error
  if (signal.aborted) {
    return new ClientError(exitCodes.interrupted, 'Interrupted.', { code: 'INTERRUPTED' })
  }
  if (error instanceof DomainError) {
    return new ClientError(exitCodes.failed, error.message, {
      code: error.code,
      ...(error.issues === undefined ? {} : { issues: error.issues }),
    })
  }
  const { code, path, message } = error as NodeJS.ErrnoException
  const known = code === undefined ? undefined : fileErrors[code]
  if (known !== undefined) {
    return new ClientError(exitCodes.failed, `${path ?? 'The file'} ${known}.`, { code: `FILE_${code}` })
  }
  return new ClientError(exitCodes.failed, message, { code: 'UNEXPECTED', cause: error })
}

const fileErrors: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be accessed: permission denied',
  EPERM: 'cannot be accessed: permission denied',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: your disk quota is exceeded',
  EFBIG: 'cannot be written: the file is too large',
  ELOOP: 'is a symbolic link that points to itself',
  EISDIR: 'is a folder',
  ENOTDIR: 'has a parent that is not a folder',
}
