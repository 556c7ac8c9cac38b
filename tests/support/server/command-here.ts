import { join } from 'node:path'
import { forkHelper } from '../../../src/server/processes/fork-helper.ts'
import type { HelperKind } from '../../../src/shared/services-messages.ts'
import { runCommand } from '../../../src/server/commands/run-command.ts'
import { cleanEnvironment, projectRoot } from './command-line.ts'
import type { Ended, Variables } from './command-line.ts'
import { clientFolder, helperEntries, markdownEntry, workerEntry } from './server.ts'

const program = {
  startHelper: (kind: HelperKind, mayWrite?: string | null) =>
    forkHelper(helperEntries[kind], kind, mayWrite),
  markdownEntry,
  workerEntry,
  clientFolder,
  appFolder: projectRoot,
  skillsFolder: join(projectRoot, 'resources/skills'),
}

/** Environment and output belong to the whole process, so commands run one at a time. */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs one command with a data folder in this process, which takes a quarter of the CPU time of `skilldock`. For tests
 * of a command's output rather than its process.
 */
export function skilldockHere(data: string, args: string[], variables: Variables = {}): Promise<Ended> {
  const run = previous.then(() => runHere(args, { SKILLDOCK_DATA: data, ...variables }))
  previous = run.catch(() => {})
  return run
}

/** A token as `skilldock token` prints it. */
export async function tokenHere(data: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, status } = await skilldockHere(data, ['token', ...args])
  if (status !== 0) throw new Error(`token failed: ${stderr}`)
  return stdout.trim()
}

async function runHere(args: string[], variables: Variables): Promise<Ended> {
  const environment = { ...process.env }
  const written = { stdout: '', stderr: '' }
  const outputs = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name]
    process[name].write = (piece: string | Uint8Array) => {
      written[name] += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
      return true
    }
    return () => (process[name].write = write)
  })
  setEnvironment(cleanEnvironment(variables))
  try {
    const status = await runCommand(args, program)
    return { status, signal: null, ...written }
  } finally {
    setEnvironment(environment)
    for (const restore of outputs) restore()
  }
}

/** Changes the object in place, because only then does the process environment change. */
function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
}
