import { exitCodes } from './exit-codes.ts'

/**
 * Runs `work`. SIGINT or SIGTERM meanwhile ends the process after `cleanUp`, which must be synchronous and
 * must bear being called at any point of the work.
 */
export async function interruptible<T>(cleanUp: () => void, work: () => Promise<T>): Promise<T> {
  const stop = (signal: string): void => {
    try {
      cleanUp()
    } finally {
      process.stderr.write(`Stopped by ${signal}; what was begun is removed.\n`)
      process.exit(exitCodes.failed)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    return await work()
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
