import { stat } from 'node:fs/promises'
import { basename, isAbsolute, resolve } from 'node:path'
import type { AgentFacts } from '../../../shared/agent-facts.ts'
import type { AgentProject, RememberedProject } from '../../../shared/contracts/desk-agents-project.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { AgentsReader } from '../../agents/agents-reader.ts'
import { databaseOf } from '../../agents/project-files.ts'
import { unreadableTexts } from '../../agents/unreadable.texts.ts'
import type { Database } from '../../db/database.ts'
import { agentProjectRepository } from './agents.repository.ts'
import { texts } from './agents.texts.ts'

interface AgentProjectParts {
  database: Database
  reader: Pick<AgentsReader, 'project' | 'retry'>
  /** The environment variable that sets the project; null if the desk may choose it. */
  fixedBy(): 'SKILLDOCK_WORKSPACE' | null
  /** Applies the choice, now and after a restart. */
  choose(folder: string | null): Promise<void>
  facts(): AgentFacts | null
  countAlerts(): number
}

/** The chosen agent project and the recent ones. */
export function createAgentProjects(parts: AgentProjectParts) {
  const { database, reader } = parts
  const reading = agentProjectRepository(database.reader)
  const writing = agentProjectRepository(database.writer)

  const remember = (folder: string): Promise<unknown> =>
    database.transact(() => writing.show(folder, new Date().toISOString()))

  const listRemembered = (): Promise<RememberedProject[]> =>
    Promise.all(
      reading.list().map(async (folder) => ({
        folder,
        name: nameOf(folder),
        exists: await exists(databaseOf(folder)),
        chosen: folder === reader.project().folder,
      })),
    )

  const getProject = async (): Promise<AgentProject> => {
    database.assertAvailable()
    const { folder, state, reason, changedAt, checkedAt, size } = reader.project()
    const facts = parts.facts()
    const counts = facts?.counts ?? { agents: null, supervisors: null, deployments: null }
    const sentence = state === 'none' || state === 'missing' ? texts.state[state] : null
    return {
      state,
      sentence: reason === null ? sentence : unreadableTexts[reason],
      folder,
      name: folder === null ? null : nameOf(folder),
      bytes: size,
      journal: facts?.journal ?? null,
      changedAt,
      readAt: folder === null ? null : checkedAt,
      fixedBy: parts.fixedBy(),
      remembered: await listRemembered(),
      counts: { ...counts, alerts: parts.countAlerts() },
    }
  }

  const check = async (folder: string): Promise<void> => {
    if (!isAbsolute(folder)) throw invalidFolder(texts.folder.relative)
    if (reading.list().includes(folder)) return
    const stats = await stat(folder).catch(() => null)
    if (stats === null) throw invalidFolder(texts.folder.missing)
    if (!stats.isDirectory()) throw invalidFolder(texts.folder.noFolder)
  }

  return {
    getProject,

    /** Throws VALIDATION_FAILED if it is not a folder, or if the environment sets the project. */
    async choose(folder: string | null): Promise<AgentProject> {
      const path = folder === null ? null : isAbsolute(folder) ? resolve(folder) : folder
      if (path !== null) await check(path)
      await parts.choose(path)
      if (path !== null) await remember(path)
      return getProject()
    },

    retry(): Promise<AgentProject> {
      reader.retry()
      return getProject()
    },

    async forget(folder: string): Promise<AgentProject> {
      if (folder === reader.project().folder) throw invalidFolder(texts.folder.chosen)
      if (!reading.list().includes(folder)) {
        throw new DomainError('NOT_FOUND', texts.notRecent)
      }
      await database.transact(() => writing.forget(folder))
      return getProject()
    },

    /** Adds the chosen project to the recent ones, however it was chosen. */
    async rememberChosen(): Promise<void> {
      const { folder } = reader.project()
      if (folder !== null) await remember(folder)
    },
  }
}

export type AgentProjects = ReturnType<typeof createAgentProjects>

function invalidFolder(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', texts.invalidFolder(message), {
    issues: [{ path: 'folder', message }],
  })
}

const nameOf = (folder: string): string => (basename(folder) === '' ? folder : basename(folder))

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null
