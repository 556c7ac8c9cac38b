import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { logTexts } from './log.texts.ts'
import type { Logger } from './logging.ts'
import { createRecurringTask } from './recurring-task.ts'

const run = promisify(execFile)

/** What systemd sets for a service of `Type=notify` (sd_notify(3) and sd_watchdog_enabled(3)). */
interface SystemdVariables {
  socket: string
  /** Milliseconds after which the service is killed unless it reports that it is alive; null without `WatchdogSec=`. */
  watchdogMs: number | null
}

/**
 * Removes the variables from the environment of this process, so that no child process reports in place of this one. Null if systemd
 * does not expect reports.
 */
export function takeSystemdVariables(): SystemdVariables | null {
  const { env } = process
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog, WATCHDOG_PID: pid } = env
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name]
  if (socket === undefined || socket === '') return null
  const isWatched = Number(watchdog) > 0 && (pid === undefined || pid === String(process.pid))
  return { socket, watchdogMs: isWatched ? Number(watchdog) / 1000 : null }
}

interface SystemdParts {
  log: Logger
  /** Whether some part of the services is changing its address, and a sentence about them. */
  describe(): { isReloading: boolean; status: string }
  /** Throws if the services could not answer. */
  assertAlive(): void
}

/**
 * Reports to systemd with its program `systemd-notify`, because Node has no datagram sockets of the file system. The
 * program is a child process, so the unit needs `NotifyAccess=all`.
 */
export function createSystemd(
  { socket, watchdogMs }: SystemdVariables,
  { log, describe, assertAlive }: SystemdParts,
) {
  let last: Promise<void> = Promise.resolve()
  let reported = ''
  let hasFailed = false

  const send = async (variables: readonly string[]): Promise<void> => {
    try {
      await run('systemd-notify', [...variables], { env: { ...process.env, NOTIFY_SOCKET: socket } })
      hasFailed = false
    } catch (err) {
      if (!hasFailed) log.error({ err }, logTexts.systemdNotTold)
      hasFailed = true
    }
  }
  const sendInTurn = (read: () => readonly string[] | null): Promise<void> => {
    last = last.then(() => {
      const variables = read()
      return variables === null ? undefined : send(variables)
    })
    return last
  }

  const ping = (): readonly string[] | null => {
    try {
      assertAlive()
      return ['WATCHDOG=1']
    } catch (err) {
      log.error({ err }, logTexts.notAlive)
      return null
    }
  }
  // systemd recommends half of its interval.
  const everyMs = (watchdogMs ?? 0) / 2
  const pings = createRecurringTask(() => sendInTurn(ping), { firstMs: everyMs, everyMs })
  if (watchdogMs !== null) pings.start()
  let hasEnded = false

  return {
    /** Reports that the services accept requests, or that they are reloading. Call it whenever that may have changed. */
    report: (): void =>
      void sendInTurn(() => {
        const { isReloading, status } = describe()
        const variables = [isReloading ? 'RELOADING=1' : 'READY=1', `STATUS=${status}`]
        if (hasEnded || variables.join() === reported) return null
        reported = variables.join()
        return variables
      }),
    /** Reports that the services stop; resolves when systemd knows. Nothing is reported afterwards. */
    async stopping(status: string): Promise<void> {
      hasEnded = true
      await pings.end()
      await sendInTurn(() => ['STOPPING=1', `STATUS=${status}`])
    },
  }
}
