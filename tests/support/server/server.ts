import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../src/server/settings/config.ts'
import type { Config } from '../../../src/server/settings/config.ts'
import { withPeople } from '../../../src/server/commands/open-people.ts'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { migrate } from '../../../src/server/db/migrate.ts'
import type { TokenRequest } from '../../../src/server/domains/identity/people.service.ts'
import { startServer } from '../../../src/server/start-server.ts'
import type { Server, ServerOptions } from '../../../src/server/start-server.ts'
import { createLogLines } from '../../../src/server/operations/log-lines.ts'
import { createLogger } from '../../../src/server/operations/logging.ts'
import { forkHelper } from '../../../src/server/processes/fork-helper.ts'

export interface TestServer {
  server: Server
  config: Config
  folder: string
  registry: string
  dashboard: string
  /** All lines the server has logged. */
  logs: string[]
  /** Creates a token like the command line. */
  token(request: TokenRequest): Promise<string>
  stop(): Promise<void>
}

export interface TestServerOptions extends Partial<Omit<ServerOptions, 'config' | 'log' | 'logLines'>> {
  config?: Partial<Config>
  /** How many processes answer public reads. */
  workerCount?: number
  /** An existing folder, which is not removed at the end. */
  folder?: string
}

const built = join(import.meta.dirname, '../../../out')

/** The built scripts of the helper processes. Each is a single file, which starts in a fifth of the time. */
export const helperEntries = {
  modules: join(built, 'main/validator.js'),
  images: join(built, 'main/images.js'),
  backups: join(built, 'main/backups.js'),
  agents: join(built, 'main/agents.js'),
}

/** The built script of the processes that answer public reads. */
export const workerEntry = join(built, 'main/worker.js')

/** The built client, with the install script in the same folder. */
export const clientFolder = join(built, 'client')
/** The built script of the Markdown worker. */
export const markdownEntry = join(built, 'main/markdown.js')

/** An empty database. The migrations take a quarter of the CPU time of a start, so that they run once per process. */
let emptyDatabase: Promise<Uint8Array> | null = null

async function createDatabase(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
  const { database, backups } = dataPaths(folder)
  migrate(database, backups)
  const bytes = await readFile(database)
  await rm(folder, { recursive: true })
  return bytes
}

/** A data folder with an empty database; the server creates everything else. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-test-'))
  await writeFile(dataPaths(folder).database, await (emptyDatabase ??= createDatabase()))
  return folder
}

/** Starts the real server with its own data folder on free ports. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = options.folder ?? (await newFolder())
  const config: Config = {
    ...readConfig({ SKILLDOCK_DATA: folder }),
    port: 0,
    dashboardPort: 0,
    ...options.config,
  }
  const logs: string[] = []
  const writeLine = (line: string): void => void logs.push(line)
  const { workerCount = 1 } = options
  const logLines = createLogLines()
  const server = await startServer({
    checkReplies: true,
    markdownEntry,
    clientFolder,
    startHelper: (kind, mayWrite) => forkHelper(helperEntries[kind], kind, mayWrite),
    ...(workerCount === 1 ? {} : { workers: { count: workerCount, entry: workerEntry, writeLine } }),
    ...options,
    config,
    logLines,
    log: createLogger(logLines.passTo({ write: writeLine })),
  })
  return {
    server,
    config,
    folder,
    logs,
    registry: server.registry.url,
    dashboard: server.local.url,
    token: async (request) => (await withPeople((people) => people.issueToken(request), folder)).token,
    async stop() {
      await server.stop()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
