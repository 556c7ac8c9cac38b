import { maxOffset } from '../shared/contracts/common.ts'
import { usageError } from './client-error.ts'
import { texts } from './client.texts.ts'

/** The value of --offset; defaults to 0. */
export function readOffset(text: string | undefined): number {
  if (text === undefined) return 0
  if (/^\d{1,6}$/.test(text) && Number(text) <= maxOffset) return Number(text)
  throw usageError(texts.commandLine.offset)
}
