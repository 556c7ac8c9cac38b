import type Sqlite from 'better-sqlite3'

export function createDeletedProjects(connection: Sqlite.Database): void {
  connection.exec(`
    CREATE TRIGGER desk_project_delete AFTER DELETE ON projects
      BEGIN UPDATE desk_topics SET n = n + 1 WHERE topic = 'content'; END;
  `)
}
