import type { Database } from '../../db/database.ts'
import { preparedOnce } from '../../db/prepared-once.ts'

const maxProjects = 50

/** Recently used agent projects. */
export const agentProjectRepository = preparedOnce(
  ({ reader, writer }: Pick<Database, 'reader' | 'writer'>) => {
    const list = reader.prepare<[], { folder: string; shownAt: string }>(
      `SELECT folder, shown_at AS shownAt FROM agent_projects ORDER BY shown_at DESC, folder LIMIT ${maxProjects}`,
    )
    const show = writer.prepare<[string, string]>(
      `INSERT INTO agent_projects (folder, shown_at) VALUES (?, ?)
     ON CONFLICT (folder) DO UPDATE SET shown_at = excluded.shown_at`,
    )
    const forget = writer.prepare<[string]>('DELETE FROM agent_projects WHERE folder = ?')

    return {
      list: () => list.all(),
      show: (folder: string, at: string) => show.run(folder, at),
      forget: (folder: string) => forget.run(folder),
    }
  },
)
