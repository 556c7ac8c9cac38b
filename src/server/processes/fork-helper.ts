import { fork } from 'node:child_process'
import process from 'node:process'
import { helperHeapMegabytes } from '../../shared/services-messages.ts'
import type { HelperKind } from '../../shared/services-messages.ts'
import type { HelperProcess } from './helper-process.ts'

// The process reads files and answers; it may do nothing else. Its objects are few: what is large lies not in the
// heap that is limited here.
const EXEC_ARGV = [
  `--max-old-space-size=${helperHeapMegabytes}`,
  '--max-semi-space-size=1',
  // One helping thread for the engine: more would only add their stacks and arenas to the memory.
  '--v8-pool-size=1',
  '--disable-warning=ExperimentalWarning',
]

// Node 20 knows the permission model under another name only.
const hasPermissions = process.allowedNodeEnvironmentFlags.has('--permission')
const READS = ['--permission', '--allow-fs-read=*']

const permissionsOf = (kind: HelperKind): string[] => {
  if (!hasPermissions) return []
  // What decodes pictures and writes their copies is native, which these rules do not reach.
  return kind === 'pictures' ? [...READS, '--allow-addons', '--disable-warning=PERM0001'] : READS
}

/** The process with its id, which is undefined when it could not be started. */
export interface ForkedHelper extends HelperProcess {
  readonly pid: number | undefined
}

/**
 * Starts a process from its entry file (the source, or what was bundled of it), with nothing of this process's
 * environment. Not for use inside Electron, where `fork` is switched off.
 */
export const forkHelper = (entry: string, kind: HelperKind): ForkedHelper => {
  const child = fork(entry, [], {
    env: {},
    execArgv: [...EXEC_ARGV, ...permissionsOf(kind)],
    serialization: 'json',
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
