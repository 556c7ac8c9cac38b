import { texts } from './commands.texts.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * Runs `work` and then `cleanUp`, however it ends. SIGINT or SIGTERM during it calls `cleanUp` and exits the process, so
 * `cleanUp` must be synchronous and safe to call at any point of the work.
 */
export async function interruptible<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  const stop = (signal: string): void => {
    try {
      cleanUp()
    } finally {
      process.stderr.write(`${texts.usage.interrupted(signal)}\n`)
      process.exit(exitCodes.failed)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    return await work()
  } finally {
    cleanUp()
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
