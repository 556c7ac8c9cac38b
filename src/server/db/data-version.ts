import type { Connection } from './database.ts'
import { preparedOnce } from './prepared-once.ts'

/** Returns a number that changes with every commit by another connection or process. A call takes a microsecond. */
export const dataVersionOf = preparedOnce((connection: Connection) => {
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck()
  return () => version.get() ?? 0
})
