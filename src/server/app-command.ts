// The command line inside the installed app, where Electron's main process runs it.
import type { HelperKind } from '../shared/services-messages.ts'
import { runProcess } from './commands/run-command.ts'
import type { Program } from './commands/program.ts'
import { createRequestedHelpers } from './processes/requested-helpers.ts'
import type { HelperPort } from './processes/requested-helpers.ts'

/** Starts and ends helper processes, and passes the port of each. Electron's main process cannot fork. */
interface HelperStarter {
  start(id: number, kind: HelperKind, onPort: (port: HelperPort) => void, onGone: () => void): void
  end(id: number): void
}

/** Runs one command line (the arguments after `skilldock`) and returns its exit code. */
export function runInApp(
  args: string[],
  program: Omit<Program, 'startHelper'>,
  processes: HelperStarter,
): Promise<number> {
  const helpers = createRequestedHelpers({
    start(id, kind) {
      processes.start(
        id,
        kind,
        (port) => helpers.onPort(id, port),
        () => helpers.onGone(id),
      )
    },
    end: (id) => processes.end(id),
  })
  return runProcess(args, { ...program, startHelper: (kind) => helpers.startHelper(kind) })
}
