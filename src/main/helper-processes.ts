import { join } from 'node:path'
import { MessageChannelMain, utilityProcess } from 'electron'
import type { MessagePortMain, UtilityProcess } from 'electron'
import { helperEnvironment, helperHeapMegabytes } from '../shared/services-messages.ts'
import type { HelperKind } from '../shared/services-messages.ts'
import { texts } from './app.texts.ts'
import { endNow } from './end-process.ts'

/** The helper processes that read untrusted files. Inside Electron, the services cannot start them themselves. */
interface HelperProcesses {
  /** Starts a process and calls `onPort` with its port. Calls `onGone` when it has ended. */
  start(id: number, kind: HelperKind, onPort: (port: MessagePortMain) => void, onGone: () => void): void
  end(id: number): void
  endAll(): void
}

/** The entry points of the helper processes, by the folder of the bundles. */
export const helperEntries = (folder: string): Record<HelperKind, string> => ({
  modules: join(folder, 'validator.js'),
  images: join(folder, 'images.js'),
  backups: join(folder, 'backups.js'),
  agents: join(folder, 'agents.js'),
})

export function createHelperProcesses(entries: Record<HelperKind, string>): HelperProcesses {
  const processes = new Map<number, UtilityProcess>()

  const end = (id: number): void => {
    const child = processes.get(id)
    // Killed, because the engine cannot be interrupted while it validates a module.
    if (child !== undefined) endNow(child)
  }

  return {
    start(id, kind, onPort, onGone) {
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
      onPort(port2)
    },
    end,
    endAll() {
      for (const id of processes.keys()) end(id)
    },
  }
}
