import { ClientError } from './client-error.ts'
import { exitCodes } from './exit-codes.ts'

/** The value of --offset; 0 without it. */
export function readOffset(text: string | undefined): number {
  if (text === undefined) return 0
  if (/^\d{1,6}$/.test(text) && Number(text) <= 100_000) return Number(text)
  throw new ClientError(exitCodes.usage, '--offset is a whole number from 0 to 100000.', { code: 'USAGE' })
}
