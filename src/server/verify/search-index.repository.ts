import { repository } from '../db/repository.ts'

/** A term of the index and its release. */
interface IndexEntry {
  term: string
  id: number
}

/** All SQL about the contents of the search index, which stores no copy of its texts. */
export const searchIndexRepository = repository((sql, connection) => ({
  /**
   * The entries of releases from `first` to `last`, in no particular order. Uses a temporary table of this
   * connection.
   */
  *readEntries(first: number, last: number): Generator<IndexEntry, void, undefined> {
    const queryOnly = Number(connection.pragma('query_only', { simple: true }))
    // `query_only` forbids even temporary tables, which are not part of the database file.
    connection.pragma('query_only = OFF')
    connection.exec('CREATE VIRTUAL TABLE temp.release_terms USING fts5vocab (main, release_grams, instance)')
    try {
      yield* connection
        .prepare<[number, number], IndexEntry>(
          'SELECT term, doc AS id FROM temp.release_terms WHERE doc >= ? AND doc <= ?',
        )
        .iterate(first, last)
    } finally {
      connection.exec('DROP TABLE temp.release_terms')
      connection.pragma(`query_only = ${queryOnly}`)
    }
  },

  lastId: sql.count<[]>(`
      SELECT max(id) FROM (SELECT max(release_id) AS id FROM release_texts
        UNION ALL SELECT max(id) FROM release_grams_docsize)`),
  clear: sql.run<[]>("INSERT INTO release_grams (release_grams) VALUES ('delete-all')"),
  insert: sql.run<[id: number, grams: string]>('INSERT INTO release_grams (rowid, grams) VALUES (?, ?)'),
}))
