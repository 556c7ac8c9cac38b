import type { ErrorIssue } from '../shared/errors.ts'
import { exitCodes } from './exit-codes.ts'

/** Why something failed, and what to do next, each as full sentences. */
export interface ErrorText {
  sentence: string
  next?: string | null
}

interface ClientErrorDetails {
  /** The registry's error code, or one of the client's in the same format. */
  code?: string
  issues?: readonly ErrorIssue[]
  /** Seconds after which a retry may succeed. */
  retryAfter?: number | null
  cause?: unknown
}

/** Why a command failed. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly exitCode: number
  readonly code: string
  readonly next: string | null
  readonly issues: readonly ErrorIssue[]
  readonly retryAfter: number | null

  constructor(exitCode: number, { sentence, next = null }: ErrorText, details: ClientErrorDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause })
    this.exitCode = exitCode
    this.code = details.code ?? 'CLIENT'
    this.next = next
    this.issues = details.issues ?? []
    this.retryAfter = details.retryAfter ?? null
  }
}

/** The command line is invalid. */
export const usageError = (text: ErrorText): ClientError =>
  new ClientError(exitCodes.usage, text, { code: 'USAGE' })

/** For `catch`: null if the registry has no such thing. Throws any other error again. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof ClientError && error.exitCode === exitCodes.notFound) return null
  throw error
}
