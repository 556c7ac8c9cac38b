import { ClientError } from './client-error.ts'
import { exitCodes } from './exit-codes.ts'

/** The value of --offset; defaults to 0. */
export function readOffset(text: string | undefined): number {
  if (text === undefined) return 0
  if (/^\d{1,6}$/.test(text) && Number(text) <= 100_000) return Number(text)
  throw new ClientError(exitCodes.usage, '--offset must be a whole number from 0 to 100000.', {
    code: 'USAGE',
  })
}
