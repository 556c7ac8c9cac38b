import { repository } from './repository.ts'

/** Returns a number that changes with every commit by another connection or process. A call takes a microsecond. */
export const dataVersionOf = repository((sql) => sql.count<[]>('PRAGMA data_version'))
