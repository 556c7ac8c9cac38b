import { fork } from 'node:child_process'
import process from 'node:process'
import type { ValidatorProcess } from './validator-worker.ts'

const MEGABYTES_OF_OBJECTS = 64

// The process reads files and answers; it may do nothing else. Its objects are few: what is large, the
// module's bytes and what the engine knows about them, does not lie in the heap that is limited here.
const EXEC_ARGV = [
  `--max-old-space-size=${MEGABYTES_OF_OBJECTS}`,
  '--max-semi-space-size=1',
  // One helping thread for the engine: more would only add their stacks and arenas to the memory.
  '--v8-pool-size=1',
  '--disable-warning=ExperimentalWarning',
]

// Node 20 knows the permission model under another name only.
const PERMISSIONS = process.allowedNodeEnvironmentFlags.has('--permission')
  ? ['--permission', '--allow-fs-read=*']
  : []

/** The process with its id, which is undefined when it could not be started. */
export interface ForkedValidator extends ValidatorProcess {
  readonly pid: number | undefined
}

/**
 * Starts the checking process from its entry file (`validator-process.ts`, or `validator.js` beside the
 * bundle), with nothing of this process's environment. Not for use inside Electron, where `fork` is
 * switched off.
 */
export const forkValidatorProcess = (entry: string): ForkedValidator => {
  const child = fork(entry, [], {
    env: {},
    execArgv: [...EXEC_ARGV, ...PERMISSIONS],
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
