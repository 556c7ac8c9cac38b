import { MessageChannelMain, utilityProcess } from 'electron'
import type { UtilityProcess } from 'electron'
import { helperEnvironment, helperHeapMegabytes } from '../shared/services-messages.ts'
import type { HelperKind } from '../shared/services-messages.ts'
import { texts } from './app.texts.ts'
import { endNow } from './end-process.ts'

/** The helper processes that read untrusted files. Inside Electron, the services cannot start them themselves. */
export interface HelperProcesses {
  /** Starts a process and passes its port to `services`. Calls `onGone` when it has ended. */
  start(id: number, kind: HelperKind, services: UtilityProcess, onGone: () => void): void
  end(id: number): void
  endAll(): void
}

export function createHelperProcesses(entries: Record<HelperKind, string>): HelperProcesses {
  const processes = new Map<number, UtilityProcess>()

  const end = (id: number): void => {
    const child = processes.get(id)
    // Killed, because the engine cannot be interrupted while it validates a module.
    if (child !== undefined) endNow(child)
  }

  return {
    start(id, kind, services, onGone) {
      const child = utilityProcess.fork(entries[kind], [], {
        // Not the app's environment, except on Windows, where a process cannot start without some variables.
        ...(process.platform === 'win32' ? {} : { env: helperEnvironment }),
        execArgv: [`--max-old-space-size=${helperHeapMegabytes[kind]}`],
        serviceName: texts.processes[kind],
        stdio: 'ignore',
      })
      processes.set(id, child)
      child.once('exit', () => {
        processes.delete(id)
        onGone()
      })
      const { port1, port2 } = new MessageChannelMain()
      child.postMessage(null, [port1])
      services.postMessage({ type: 'helper', id }, [port2])
    },
    end,
    endAll() {
      for (const id of processes.keys()) end(id)
    },
  }
}
