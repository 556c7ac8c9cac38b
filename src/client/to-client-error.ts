import { codeOf, DomainError, messageOf } from '../shared/errors.ts'
import { fileProblem } from '../shared/file-problems.ts'
import { ClientError } from './client-error.ts'
import type { ErrorText } from './client-error.ts'
import { texts } from './client.texts.ts'
import { exitCodes } from './exit-codes.ts'

const interruptedCode = 'INTERRUPTED'

/** Converts anything thrown to an error that can be printed. `signal` is the signal of the command's context. */
export function toClientError(error: unknown, signal: AbortSignal): ClientError {
  if (error instanceof ClientError) return error
  if (signal.aborted) return interrupted(signal)
  if (error instanceof DomainError) {
    return new ClientError(
      exitCodes.failed,
      { sentence: error.message },
      { code: error.code, ...(error.issues === undefined ? {} : { issues: error.issues }) },
    )
  }
  const problem = fileProblem(error)
  return new ClientError(
    exitCodes.failed,
    { sentence: problem ?? messageOf(error) },
    { code: problem === null ? 'UNEXPECTED' : `FILE_${codeOf(error)}`, cause: error },
  )
}

/** Aborts a command because of SIGTERM, which has an exit code of its own. */
export class Terminated extends Error {}

/** The error of a command that was aborted. Scripts tell its cause from the exit code. */
export function interrupted(signal: AbortSignal, text: ErrorText = texts.interrupted): ClientError {
  const exitCode = signal.reason instanceof Terminated ? exitCodes.terminated : exitCodes.interrupted
  return new ClientError(exitCode, text, { code: interruptedCode })
}

export const isInterrupted = ({ code }: ClientError): boolean => code === interruptedCode
