import { resolve } from 'node:path'
import { withDefault } from '../../shared/command-line/command-table.ts'
import { usageError } from '../client-error.ts'
import type { Command, Options } from '../command.ts'
import { getLockFolder } from '../installed/locked-releases.ts'
import { clientNames, installIn } from '../mcp/client-config.ts'
import { texts } from '../mcp/mcp.texts.ts'
import { readDuration } from '../terminal/read-duration.ts'
import { limitOptions, readLimits } from './run-limits.ts'

const defaultCheckEvery = '5m'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve the installed skills to agents as tools (Model Context Protocol)',
  usage: [
    '[FOLDER] [--http PORT] [--check-every TIME] [--timeout TIME] [--memory MIB] [--output MIB]',
    `[FOLDER] --install (${clientNames.join(' | ')}) [--yes] [OPTIONS FOR THE SERVER]`,
  ],
  about: `Each skill in the nearest skill-lock.json is a tool with one argument, "input". It runs like with skill run: after its
SHA-256 was verified, in a sandbox, within the limits. The result is its standard output, or an error with its
standard error. The server uses standard input and output, or HTTP on this computer with --http.

At the start and every few minutes, the registries are asked whether the releases are still approved. The tool of a
revoked release disappears, and calling it says why. Without a network the tools work, and their descriptions say
since when the registries could not be asked. Changes of the lock file take effect at once.`,
  options: {
    http: {
      type: 'string',
      value: 'PORT',
      help: 'serve at http://127.0.0.1:PORT/mcp instead (0: any free port)',
    },
    'check-every': {
      type: 'string',
      value: 'TIME',
      help: withDefault('how often to ask whether the releases are approved', defaultCheckEvery),
    },
    ...limitOptions,
    install: {
      type: 'string',
      value: 'CLIENT',
      completes: clientNames,
      help: "add this server to the project's configuration of an agent, after showing it",
    },
    yes: { type: 'boolean', help: 'with --install: do not ask before writing' },
  },
  notes: `With --install, the entry is written to .mcp.json (claude), .vscode/mcp.json or .cursor/mcp.json in the folder of the
lock file. Other entries are kept.

  skill mcp --install claude
  skill mcp --http 4319 --timeout 60s`,
  arguments: ['folder'],
  positionals: { min: 0, max: 1 },
  async run(context, [subfolder = '.'], options) {
    const client = options.text('install')
    const port = readPort(options.text('http'))
    if ((client !== undefined && port !== null) || (client === undefined && context.isJson)) {
      throw usageError(texts.notCombined)
    }
    const limits = readLimits(options)
    const checkEveryMs = readDuration('--check-every', options.text('check-every') ?? defaultCheckEvery)
    const { folder } = await getLockFolder({ folder: resolve(context.folder, subfolder) })
    if (client !== undefined) {
      return installIn(context, folder, client, serverOptions(options), options.flag('yes'))
    }
    // Imported lazily, because no other command needs the SDK.
    const { createSkillTools } = await import('../mcp/skill-tools.ts')
    const { serveOverHttp, serveOverStdio } = await import('../mcp/serve.ts')
    const tools = createSkillTools(context, folder, limits, checkEveryMs)
    try {
      await (port === null ? serveOverStdio(tools, context) : serveOverHttp(tools, context, port))
    } finally {
      tools.close()
    }
    return { data: null, print: () => {} }
  },
}

function readPort(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw usageError(texts.port)
}

/** The options that the configured server gets. */
const serverOptions = (options: Options): string[] =>
  ['check-every', ...Object.keys(limitOptions)].flatMap((name) => {
    const value = options.text(name)
    return value === undefined ? [] : [`--${name}`, value]
  })
