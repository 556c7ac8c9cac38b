// The entry of the services inside the app: Electron's main process starts it as a utility process, and they
// speak over the parent port (src/shared/services-messages.ts).
import { fileURLToPath } from 'node:url'
import { destination } from 'pino'
import { toServicesSchema } from '../shared/services-messages.ts'
import type { FromServices, ToServices } from '../shared/services-messages.ts'
import { readConfig } from './config.ts'
import type { Config } from './config.ts'
import { makeDeskLink } from './desk-link.ts'
import { announce, openServer } from './index.ts'
import type { Listener, Server } from './index.ts'
import { createLogger } from './logging.ts'
import { findParentPort } from './utility-port.ts'
import type { UtilityPort } from './utility-port.ts'
import { createRequestedValidators } from './wasm/requested-validator.ts'

function run(parent: UtilityPort): void {
  const log = createLogger(destination({ fd: 2, sync: true }))
  // A port between processes, which knows no origins.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const say = (message: FromServices): void => parent.postMessage(message)
  const validators = createRequestedValidators({
    start: (id) => say({ type: 'start-validator', id }),
    end: (id) => say({ type: 'end-validator', id }),
  })
  let running: { server: Server; config: Config } | null = null
  let isStopping = false

  const tell = (server: Server): void =>
    say({
      type: 'state',
      services: [stateOf('registry', server.registry), stateOf('dashboard', server.loopback)],
    })

  /** Starts what does not listen yet; one of the two may fail while the other one goes on. */
  const listen = async (config: Config, server: Server): Promise<void> => {
    const idle = [server.registry, server.loopback].filter((listener) => listener.state !== 'running')
    // Why a listener has failed is kept in its `error`, which the state carries.
    await Promise.allSettled(idle.map((listener) => listener.start()))
    if (isStopping) return
    const isComplete = server.registry.state === 'running' && server.loopback.state === 'running'
    if (isComplete && idle.length > 0) announce(config, server)
    tell(server)
  }

  const start = async (ports: { registry: number | null; dashboard: number | null }): Promise<void> => {
    const settings = readConfig()
    say({ type: 'update-address', address: settings.updateUrl })
    const config = {
      ...settings,
      port: settings.port === 0 ? (ports.registry ?? 0) : settings.port,
      dashboardPort: settings.dashboardPort === 0 ? (ports.dashboard ?? 0) : settings.dashboardPort,
    }
    const server = await openServer({
      config,
      log,
      startValidator: () => validators.startProcess(),
      // The bundle lies beside the built desk.
      deskFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
    })
    running = { server, config }
    if (isStopping) return
    tell(server)
    await listen(config, server)
  }

  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    await starting.catch(() => {})
    await running?.server.stop()
    process.exit(0)
  }

  const fail = (error: unknown): void => {
    const sentence = error instanceof Error ? error.message : String(error)
    log.error({ err: error }, 'the services cannot run')
    say({ type: 'failed', sentence })
    // The main process answers with `stop`; ending now could lose the sentence on its way.
  }

  const signInLink = async (id: number): Promise<void> => {
    if (running === null) return
    const address = running.server.loopback.url
    let link: string | null = null
    try {
      link = (await makeDeskLink(running.config.dataFolder, address)).url
    } catch (error) {
      log.error({ err: error }, 'no sign-in link could be made')
    }
    // Without a link, as where there are several administrators, the desk itself says how to sign in.
    say({ type: 'sign-in-link', id, link: link ?? `${address}/desk/` })
  }

  let starting: Promise<void> = Promise.resolve()
  const onMessage = (message: ToServices, port: UtilityPort | undefined): void => {
    switch (message.type) {
      case 'start':
        starting = start(message.ports)
        starting.catch(fail)
        break
      case 'retry':
        if (running !== null && !isStopping) void listen(running.config, running.server)
        break
      case 'sign-in-link':
        void signInLink(message.id)
        break
      case 'validator':
        if (port !== undefined) validators.onPort(message.id, port)
        break
      case 'validator-gone':
        validators.onGone(message.id)
        break
      case 'stop':
        void stop()
        break
    }
  }

  // Electron only warns of a promise that nobody has caught; the services end and are started again.
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'a promise was rejected and nobody has caught it')
    process.exit(1)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  parent.on('message', ({ data, ports }) => {
    const parsed = toServicesSchema.safeParse(data)
    if (parsed.success) onMessage(parsed.data, ports[0])
  })
}

function stateOf(name: 'registry' | 'dashboard', listener: Listener) {
  return { name, url: listener.url, state: listener.state, error: listener.error?.message ?? null }
}

const parentPort = findParentPort()
if (parentPort === null) {
  process.stderr.write('This program is a part of the Skilldock app and is started by it.\n')
  process.exitCode = 1
} else {
  run(parentPort)
}
