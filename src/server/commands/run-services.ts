import { destination } from 'pino'
import { readConfig } from '../settings/config.ts'
import type { Config } from '../settings/config.ts'
import { endInTime } from '../operations/end-in-time.ts'
import { createSystemd, takeSystemdVariables } from '../operations/systemd.ts'
import { startServer } from '../start-server.ts'
import type { Server } from '../start-server.ts'
import { createLogLines } from '../operations/log-lines.ts'
import { createLogger } from '../operations/logging.ts'
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
  /** These processes answer the public reads. */
  workers?: { count: number; entry: string }
  createSidecar?(services: RunningServices): Promise<Sidecar>
}

/** Runs the services in this process until SIGTERM or SIGINT. */
export async function runServices(
  program: Program,
  print: (line: string) => void,
  { workers, createSidecar }: ServicesOptions = {},
): Promise<Outcome> {
  const config = readConfig()
  const logLines = createLogLines()
  const lines = logLines.passTo(destination({ fd: 2, sync: false }))
  const log = createLogger(lines)
  const stopped = waitForSignal()
  // Before any process is started that would inherit them.
  const systemdVariables = takeSystemdVariables()
  const server = await startServer({
    config,
    log,
    logLines,
    startHelper: program.startHelper,
    markdownEntry: program.markdownEntry,
    fillDemo: demoIn(program.skillsFolder),
    ...(workers === undefined ? {} : { workers: { ...workers, writeLine: lines.write } }),
    ...(program.deskFolder === undefined ? {} : { deskFolder: program.deskFolder }),
    ...(program.clientFolder === undefined ? {} : { clientFolder: program.clientFolder }),
  })
  const sidecar = await createSidecar?.({ config, server })
  const { registry, local } = server
  const systemd =
    systemdVariables === null
      ? null
      : createSystemd(systemdVariables, {
          log,
          describe: () => ({
            isReloading: [registry, local].some(({ state }) => state === 'starting' || state === 'stopping'),
            status: texts.serve.status(
              registry.state === 'running' ? registry.url : registry.state,
              local.state === 'running' ? local.url : local.state,
            ),
          }),
          assertAlive: server.assertReadable,
        })
  systemd?.report()
  server.watch(() => systemd?.report())
  const addresses = texts.serve.started(registry.url, local.url, config.dataFolder, sidecar?.lines ?? [])
  print(addresses.join('\n'))
  sidecar?.begin()
  const signal = await stopped
  endInTime()
  log.info({ signal }, texts.serve.stopping)
  await Promise.all([systemd?.stopping(texts.serve.stopping), sidecar?.end(), server.stop()])
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
