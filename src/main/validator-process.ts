import { MessageChannelMain, utilityProcess } from 'electron'
import type { UtilityProcess } from 'electron'
import { endNow } from './end-process.ts'

/** Megabytes of JavaScript objects that checking one module may take. */
const heapMegabytes = 64

/** The processes that check modules, which the services cannot start themselves inside Electron. */
export interface ValidatorProcesses {
  /** Starts one for `services` and passes them the port to it; `onGone` is called when it is no more. */
  start(id: number, services: UtilityProcess, onGone: () => void): void
  end(id: number): void
  endAll(): void
}

export function createValidatorProcesses(entry: string): ValidatorProcesses {
  const processes = new Map<number, UtilityProcess>()

  const end = (id: number): void => {
    const child = processes.get(id)
    // The engine cannot be interrupted while it validates, so that asking it to end may not be enough.
    if (child !== undefined) endNow(child)
  }

  return {
    start(id, services, onGone) {
      const child = utilityProcess.fork(entry, [], {
        // Nothing of the environment, except where a process cannot start without some of it.
        ...(process.platform === 'win32' ? {} : { env: {} }),
        execArgv: [`--max-old-space-size=${heapMegabytes}`],
        serviceName: 'Skilldock module check',
        stdio: 'ignore',
      })
      processes.set(id, child)
      child.once('exit', () => {
        processes.delete(id)
        onGone()
      })
      const { port1, port2 } = new MessageChannelMain()
      child.postMessage(null, [port1])
      services.postMessage({ type: 'validator', id }, [port2])
    },
    end,
    endAll() {
      for (const id of processes.keys()) end(id)
    },
  }
}
