import { DomainError } from '../shared/errors.ts'
import { ClientError } from './client-error.ts'
import { exitCodes } from './exit-codes.ts'

/** Whatever was thrown, as an error that can be told; `signal` is the one of Ctrl+C. */
export function toClientError(error: unknown, signal: AbortSignal): ClientError {
  if (error instanceof ClientError) return error
  if (signal.aborted) {
    return new ClientError(exitCodes.interrupted, 'Ended before it was done.', { code: 'INTERRUPTED' })
  }
  if (error instanceof DomainError) {
    return new ClientError(exitCodes.no, error.message, {
      code: error.code,
      ...(error.issues === undefined ? {} : { issues: error.issues }),
    })
  }
  const { code, path, message } = error as NodeJS.ErrnoException
  const known = code === undefined ? undefined : fileTroubles[code]
  if (known !== undefined) {
    return new ClientError(exitCodes.no, `${path ?? 'The file'} ${known}.`, { code: `FILE_${code}` })
  }
  return new ClientError(exitCodes.no, message, { code: 'UNEXPECTED', cause: error })
}

const fileTroubles: Record<string, string> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read or written by you',
  EPERM: 'may not be read or written by you',
  EROFS: 'is on a disk that cannot be written',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: your share of the disk is full',
  EFBIG: 'cannot be written: it is larger than a file may be',
  ELOOP: 'is a link that leads to itself',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not in a folder',
}
