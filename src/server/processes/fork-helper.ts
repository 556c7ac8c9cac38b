import { fork } from 'node:child_process'
import process from 'node:process'
import { helperHeapMegabytes } from '../../shared/services-messages.ts'
import type { HelperKind } from '../../shared/services-messages.ts'
import { scratchPrefix } from './helper-process.ts'
import type { HelperProcess } from './helper-process.ts'

// Node 20 knows the permission model under another name only.
const hasPermissions = process.allowedNodeEnvironmentFlags.has('--permission')
const READS = ['--permission', '--allow-fs-read=*']

// What decodes pictures and what reads databases is native, which these rules do not reach.
const NATIVE = [...READS, '--allow-addons', '--disable-warning=PERM0001']

const permissions: Record<HelperKind, string[]> = {
  modules: READS,
  pictures: NATIVE,
  // A database that its owner left unfinished is repaired in a copy. The thread watches the memory.
  agents: [...NATIVE, `--allow-fs-write=${scratchPrefix}*`, '--allow-worker', '--disable-warning=PERM0006'],
}

// The process reads files and answers; it may do nothing else.
const argumentsOf = (kind: HelperKind, mayWrite: string | null): string[] => [
  `--max-old-space-size=${helperHeapMegabytes[kind]}`,
  // A larger one makes the many short-lived rows of a database cheaper, and the others larger.
  ...(kind === 'agents' ? [] : ['--max-semi-space-size=1']),
  // One helping thread for the engine: more would only add their stacks and arenas to the memory.
  '--v8-pool-size=1',
  '--disable-warning=ExperimentalWarning',
  ...(hasPermissions ? permissions[kind] : []),
  ...(hasPermissions && mayWrite !== null ? [`--allow-fs-write=${mayWrite}*`] : []),
]

/** The process with its id, which is undefined when it could not be started. */
export interface ForkedHelper extends HelperProcess<object> {
  readonly pid: number | undefined
}

/**
 * Starts a process from its entry file (the source, or what was bundled of it), with nothing of this process's
 * environment. It may write what begins with the path `mayWrite`. Not for use inside Electron, where `fork` is switched off.
 */
export const forkHelper = (entry: string, kind: HelperKind, mayWrite: string | null = null): ForkedHelper => {
  const child = fork(entry, [], {
    env: {},
    execArgv: argumentsOf(kind, mayWrite),
    // Rows are answered as bytes, which JSON cannot carry.
    serialization: kind === 'agents' ? 'advanced' : 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    pid: child.pid,
    // A process that is gone says so through `onExit`; the error of the pipe adds nothing.
    send: (message) => void child.send(message, () => {}),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => {
      // When the process cannot even be started there is an error and no exit.
      child.on('error', () => {
        if (child.pid === undefined) listener()
      })
      child.on('exit', () => listener())
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
