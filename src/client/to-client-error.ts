import { DomainError } from '../shared/errors.ts'
import { ClientError } from './client-error.ts'
import { texts } from './client.texts.ts'
import { exitCodes } from './exit-codes.ts'

/** Converts anything thrown to an error that can be printed. `signal` is aborted by Ctrl+C. */
export function toClientError(error: unknown, signal: AbortSignal): ClientError {
  if (error instanceof ClientError) return error
  if (signal.aborted) return interrupted()
  if (error instanceof DomainError) {
    return new ClientError(
      exitCodes.failed,
      { sentence: error.message },
      { code: error.code, ...(error.issues === undefined ? {} : { issues: error.issues }) },
    )
  }
  const { code, path = texts.file.unnamed, message } = error as NodeJS.ErrnoException
  const known = code === undefined ? undefined : texts.file.reasons[code]
  if (known !== undefined) {
    return new ClientError(exitCodes.failed, texts.file.failed(path, known), { code: `FILE_${code}` })
  }
  return new ClientError(exitCodes.failed, { sentence: message }, { code: 'UNEXPECTED', cause: error })
}

export const interrupted = (): ClientError =>
  new ClientError(exitCodes.interrupted, texts.interrupted, { code: 'INTERRUPTED' })
