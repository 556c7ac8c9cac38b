import { destination } from 'pino'
import { readConfig } from '../settings/config.ts'
import type { Config } from '../settings/config.ts'
import { endInTime } from '../operations/end-in-time.ts'
import { startServer } from '../start-server.ts'
import type { Server } from '../start-server.ts'
import { createLogLines } from '../operations/log-lines.ts'
import { createLogger } from '../operations/logging.ts'
import { forkHelper } from '../processes/fork-helper.ts'
import { texts } from './commands.texts.ts'
import { exitCodes } from './exit-codes.ts'
import type { Outcome } from './command.ts'
import { demoIn } from './demo/demo-in.ts'
import type { Program } from './program.ts'

export interface RunningServices {
  config: Config
  server: Server
}

/** Runs alongside the services, such as the desk's window. */
export interface Sidecar {
  /** Printed below the addresses. */
  lines: string[]
  /** Called after the addresses are printed. */
  begin(): void
  end(): Promise<void>
}

export interface ServicesOptions {
  /** With two or more, these processes answer the public reads. */
  workers?: number
  createSidecar?(services: RunningServices): Promise<Sidecar>
}

/** Runs the services in this process until SIGTERM or SIGINT. */
export async function runServices(
  program: Program,
  print: (line: string) => void,
  { workers = 1, createSidecar }: ServicesOptions = {},
): Promise<Outcome> {
  const config = readConfig()
  const logLines = createLogLines()
  const lines = logLines.passTo(destination({ fd: 2, sync: false }))
  const log = createLogger(lines)
  const stopped = waitForSignal()
  const server = await startServer({
    config,
    log,
    logLines,
    startHelper: (kind, mayWrite) => forkHelper(program.helpers[kind], kind, mayWrite),
    markdownEntry: program.markdownEntry,
    fillDemo: demoIn(program.skillsFolder),
    ...(workers === 1
      ? {}
      : { workers: { count: workers, entry: program.workerEntry, writeLine: lines.write } }),
    ...(program.deskFolder === undefined ? {} : { deskFolder: program.deskFolder }),
    ...(program.clientFolder === undefined ? {} : { clientFolder: program.clientFolder }),
  })
  const sidecar = await createSidecar?.({ config, server })
  const { registry, local } = server
  const addresses = texts.serve.started(registry.url, local.url, config.dataFolder, sidecar?.lines ?? [])
  print(addresses.join('\n'))
  sidecar?.begin()
  const signal = await stopped
  endInTime()
  log.info({ signal }, texts.serve.stopping)
  await Promise.all([sidecar?.end(), server.stop()])
  return {}
}

/** Milliseconds within which two signals count as one: npm forwards a Ctrl+C that the terminal also sent here. */
const sameSignalMs = 500

/** The first signal stops gracefully; a later one exits immediately. */
function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | null = null
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        firstAt ??= performance.now()
        if (performance.now() - firstAt > sameSignalMs) process.exit(exitCodes.failed)
        resolve(signal)
      })
    }
  })
}
