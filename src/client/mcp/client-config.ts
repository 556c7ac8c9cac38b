import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../files/durable-files.ts'
import { ClientError, usageError } from '../client-error.ts'
import type { Context, Result } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { refuseLinks } from '../installed/installed-skills.ts'
import { readBeginning } from '../project/read-beginning.ts'
import { canAsk, createQuestions } from '../terminal/questions.ts'
import { plain, plainLine } from '../terminal/terminal.ts'
import { texts } from './mcp.texts.ts'

interface AgentClient {
  /** Path of its configuration in a project. */
  file: readonly string[]
  /** The member that lists the servers. */
  key: string
  /** The folder of the lock file, where the client does not start servers in the project's folder. */
  folder: readonly string[]
}

const clients: Readonly<Record<string, AgentClient>> = {
  claude: { file: ['.mcp.json'], key: 'mcpServers', folder: [] },
  vscode: { file: ['.vscode', 'mcp.json'], key: 'servers', folder: ['${workspaceFolder}'] },
  cursor: { file: ['.cursor', 'mcp.json'], key: 'mcpServers', folder: ['${workspaceFolder}'] },
}

export const clientNames = Object.keys(clients)

const entryName = 'skilldock'
const maxBytes = 1_048_576

/** Adds `skill mcp` with these options to the configuration of a client in this folder, after showing it. */
export async function installIn(
  context: Context,
  folder: string,
  name: string,
  options: readonly string[],
  mayWrite: boolean,
): Promise<Result> {
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined
  if (client === undefined) {
    throw usageError(texts.config.unknownClient(plainLine(name), clientNames.join(', ')))
  }
  const path = join(...client.file)
  const file = join(folder, path)
  const entry = { type: 'stdio', command: 'skill', args: ['mcp', ...client.folder, ...options] }
  await refuseLinks([dirname(file), file])
  const text = await readConfig(file)
  const parsed = parseConfig(text, client.key)
  if (parsed === null) {
    const shown = JSON.stringify({ [entryName]: entry })
    throw new ClientError(exitCodes.failed, texts.config.notPlain(path, client.key, shown), {
      code: 'CONFIG_NOT_PLAIN',
    })
  }
  const { config, servers } = parsed
  const former = Object.hasOwn(servers, entryName) ? servers[entryName] : undefined
  const result = (state: 'written' | 'unchanged' | 'declined'): Result => ({
    data: { file, entry, state },
    print: (terminal) => terminal.line(texts.config[state](plainLine(path))),
  })
  if (JSON.stringify(former) === JSON.stringify(entry)) return result('unchanged')
  const { terminal } = context
  terminal.line(
    texts.config.show(path, client.key, pretty(entry), former === undefined ? null : pretty(former)),
  )
  if (!mayWrite && !(await confirm(context))) return result('declined')
  if ((await readConfig(file)) !== text) {
    throw new ClientError(exitCodes.failed, texts.config.changed(path), { code: 'CONFIG_CHANGED' })
  }
  const changed = { ...config, [client.key]: { ...servers, [entryName]: entry } }
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  '
  const { mode } = (await stat(file).catch(() => null)) ?? { mode: 0o644 }
  await mkdir(dirname(file), { recursive: true })
  replaceFile(file, `${JSON.stringify(changed, null, indent)}\n`, mode & 0o777)
  return result('written')
}

/** The text of a configuration file; an empty object if it does not exist. */
const readConfig = async (file: string): Promise<string> =>
  (await readBeginning(file, maxBytes))?.toString('utf8') ?? '{}'

type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The configuration and its servers; null if it has comments, is damaged, or is too large to be a configuration. */
function parseConfig(text: string, key: string): { config: JsonObject; servers: JsonObject } | null {
  try {
    const config: unknown = JSON.parse(text)
    const servers = isObject(config) ? (config[key] ?? {}) : null
    return isObject(config) && isObject(servers) ? { config, servers } : null
  } catch {
    return null
  }
}

const pretty = (value: unknown): string => plain(JSON.stringify({ [entryName]: value }, null, 2))

async function confirm(context: Context): Promise<boolean> {
  if (!canAsk(context)) throw usageError(texts.config.needsYes)
  const questions = createQuestions(context)
  try {
    return await questions.ask(texts.config.question, readAnswer)
  } finally {
    questions.end()
  }
}

function readAnswer(answer: string): boolean {
  if (/^y(es)?$/i.test(answer)) return true
  if (/^no?$/i.test(answer)) return false
  throw new Error(texts.config.yesOrNo)
}
