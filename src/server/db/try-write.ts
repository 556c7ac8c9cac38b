import type { Database } from './database.ts'

class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

/**
 * Tests a write: takes the write lock, changes the first page and rolls back, so that no cache sees a change. Throws
 * what a write would throw, but does not detect a full disk.
 */
export async function tryWrite(database: Pick<Database, 'writer' | 'transact'>): Promise<void> {
  const { writer } = database
  try {
    await database.transact(() => {
      const version = Number(writer.pragma('user_version', { simple: true }))
      writer.pragma(`user_version = ${version}`)
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
}
