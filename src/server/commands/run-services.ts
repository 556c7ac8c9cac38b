import { readConfig } from '../settings/config.ts'
import type { Config } from '../settings/config.ts'
import { endInTime } from '../operations/end-in-time.ts'
import { createSystemd, takeSystemdVariables } from '../operations/systemd.ts'
import { startServer } from '../start-server.ts'
import type { Listener, Server } from '../start-server.ts'
import { createLogLines } from '../operations/log-lines.ts'
import type { LogLines } from '../operations/log-lines.ts'
import { createLogOutput } from '../operations/log-output.ts'
import { createLogger } from '../operations/logging.ts'
import type { Logger } from '../operations/logging.ts'
import { texts } from './commands.texts.ts'
import { exitCodes } from './exit-codes.ts'
import type { Outcome } from './command.ts'
import { demoIn } from './demo/demo-in.ts'
import type { Program } from './program.ts'

interface RunningServices {
  config: Config
  server: Server
}

/** Runs alongside the services, such as the desk's window. */
interface Sidecar {
  /** Printed below the addresses. */
  lines: string[]
  /** Called after the addresses are printed. */
  begin(): void
  end(): Promise<void>
}

interface ServicesOptions {
  /** These processes answer the public reads. */
  workers?: { count: number; entry: string }
  createSidecar?(services: RunningServices): Promise<Sidecar>
}

/** What a command runs until SIGTERM or SIGINT. */
interface Runnable {
  listeners: readonly Listener[]
  /** Printed once it runs. */
  lines: string[]
  /** For `systemctl status`. */
  status(): string
  /** Calls the watcher when the state or the address of a listener changes. */
  watch(watcher: () => void): void
  /** Throws if it could not answer. */
  assertReadable(): void
  /** Called after the lines are printed. */
  begin?(): void
  stop(): Promise<void>
}

interface Surroundings {
  config: Config
  log: Logger
  logLines: LogLines
  writeLine(line: string): void
}

/** Runs the services in this process until SIGTERM or SIGINT. */
export function runServices(
  program: Program,
  print: (line: string) => void,
  { workers, createSidecar }: ServicesOptions = {},
): Promise<Outcome> {
  return runUntilSignal(print, async ({ config, log, logLines, writeLine }) => {
    const server = await startServer({
      config,
      log,
      logLines,
      startHelper: program.startHelper,
      markdownEntry: program.markdownEntry,
      fillDemo: demoIn(program.skillsFolder),
      ...(workers === undefined ? {} : { workers: { ...workers, writeLine } }),
      ...(program.deskFolder === undefined ? {} : { deskFolder: program.deskFolder }),
      ...(program.clientFolder === undefined ? {} : { clientFolder: program.clientFolder }),
    })
    const sidecar = await createSidecar?.({ config, server })
    const { registry, local } = server
    const listeners = [registry, local]
    return {
      listeners,
      lines: texts.serve.started(registry.url, local.url, config.dataFolder, sidecar?.lines ?? []),
      status: () => {
        const [ofRegistry = '', ofLocal = ''] = listeners.map(({ state, url }) =>
          state === 'running' ? url : state,
        )
        return texts.serve.status(ofRegistry, ofLocal)
      },
      watch: server.watch,
      assertReadable: server.assertReadable,
      begin: () => sidecar?.begin(),
      async stop() {
        await Promise.all([sidecar?.end(), server.stop()])
      },
    }
  })
}

/** Answers the reads of a replicated registry in this process until SIGTERM or SIGINT, and passes the rest to `writer`. */
export function runReader(
  { markdownEntry, clientFolder }: Program,
  print: (line: string) => void,
  writer: URL,
): Promise<Outcome> {
  return runUntilSignal(print, async ({ config, log }) => {
    const { startReader } = await import('../composition/reader.ts')
    const reader = await startReader({
      config,
      writer,
      log,
      markdownEntry,
      clientFolder: clientFolder ?? null,
    })
    const { registry } = reader
    return {
      ...reader,
      listeners: [registry],
      lines: texts.serve.following(registry.url, writer.origin, config.dataFolder),
      status: () => texts.serve.readerStatus(registry.state === 'running' ? registry.url : registry.state),
      watch: registry.onChange,
    }
  })
}

async function runUntilSignal(
  print: (line: string) => void,
  open: (surroundings: Surroundings) => Promise<Runnable>,
): Promise<Outcome> {
  const config = readConfig()
  const logLines = createLogLines()
  const { write: writeLine } = logLines.passTo(createLogOutput())
  const log = createLogger({ write: writeLine })
  const stopped = waitForSignal()
  // Before any process is started that would inherit them.
  const systemdVariables = takeSystemdVariables()
  const { listeners, status, ...running } = await open({ config, log, logLines, writeLine })
  const systemd =
    systemdVariables === null
      ? null
      : createSystemd(systemdVariables, {
          log,
          describe: () => ({
            isReloading: listeners.some(({ state }) => state === 'starting' || state === 'stopping'),
            status: status(),
          }),
          assertAlive: running.assertReadable,
        })
  systemd?.report()
  running.watch(() => systemd?.report())
  print(running.lines.join('\n'))
  running.begin?.()
  const signal = await stopped
  endInTime()
  log.info({ signal }, texts.serve.stopping)
  await Promise.all([systemd?.stopping(texts.serve.stopping), running.stop()])
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
