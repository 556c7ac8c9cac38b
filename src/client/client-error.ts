import type { ErrorIssue } from '../shared/errors.ts'

export interface ClientErrorDetails {
  /** What to do next, as a full sentence. */
  next?: string
  /** The registry's error code, or one of the client's in the same format. */
  code?: string
  issues?: readonly ErrorIssue[]
  /** Seconds after which a retry may succeed. */
  retryAfter?: number | null
  cause?: unknown
}

/** Why a command failed: one sentence, and what to do next. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly exitCode: number
  readonly code: string
  readonly next: string | null
  readonly issues: readonly ErrorIssue[]
  readonly retryAfter: number | null

  constructor(exitCode: number, sentence: string, details: ClientErrorDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause })
    this.exitCode = exitCode
    this.code = details.code ?? 'CLIENT'
    this.next = details.next ?? null
    this.issues = details.issues ?? []
    this.retryAfter = details.retryAfter ?? null
  }
}
