import { fork } from 'node:child_process'
import process from 'node:process'
import { helperEnvironment, helperHeapMegabytes } from '../../shared/services-messages.ts'
import type { HelperKind } from '../../shared/services-messages.ts'
import { scratchPrefix } from './helper-process.ts'
import type { HelperProcess } from './helper-process.ts'

// Node 20 has the permission model only under another name.
const hasPermissions = process.allowedNodeEnvironmentFlags.has('--permission')
const READS = ['--permission', '--allow-fs-read=*']

// Image decoders and SQLite are native code, which the permissions do not restrict.
const NATIVE = [...READS, '--allow-addons', '--disable-warning=PERM0001']

const permissions: Record<HelperKind, string[]> = {
  modules: READS,
  images: NATIVE,
  // A half-written database is repaired in a copy. The worker limits the memory.
  agents: [...NATIVE, `--allow-fs-write=${scratchPrefix}*`, '--allow-worker', '--disable-warning=PERM0006'],
  // It reads only the registry's own files, and writes to whichever folder is set.
  backups: [],
}

// The process may only read files and answer.
const argumentsOf = (kind: HelperKind, mayWrite: string | null): string[] => [
  `--max-old-space-size=${helperHeapMegabytes[kind]}`,
  // The default suits the many short-lived rows of a database; the other processes stay smaller with this.
  ...(kind === 'agents' ? [] : ['--max-semi-space-size=1']),
  // One V8 worker thread: more would only add their stacks and arenas to the memory.
  '--v8-pool-size=1',
  '--disable-warning=ExperimentalWarning',
  ...(hasPermissions ? permissions[kind] : []),
  ...(hasPermissions && mayWrite !== null ? [`--allow-fs-write=${mayWrite}*`] : []),
]

/** The process with its id, which is undefined if it could not be started. */
export interface ForkedHelper extends HelperProcess<object> {
  readonly pid: number | undefined
}

/**
 * Starts a process from its entry file (source or bundle) without the server's environment. It may write to paths that start
 * with `mayWrite`. Not for use inside Electron, where `fork` is disabled.
 */
export const forkHelper = (entry: string, kind: HelperKind, mayWrite: string | null = null): ForkedHelper => {
  const child = fork(entry, [], {
    env: helperEnvironment,
    execArgv: argumentsOf(kind, mayWrite),
    // Rows are sent as bytes, which JSON can't represent.
    serialization: kind === 'agents' ? 'advanced' : 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    pid: child.pid,
    // `onExit` reports that a process has exited; the pipe's error adds nothing.
    send: (message) => void child.send(message, () => {}),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => {
      // If the process can't be started, there is an error and no exit.
      child.on('error', () => {
        if (child.pid === undefined) listener()
      })
      child.on('exit', () => listener())
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
