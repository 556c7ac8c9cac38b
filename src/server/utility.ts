// The entry point of the services inside the app: Electron's main process starts it as a utility process and
// exchanges messages with it over the parent port (src/shared/services-messages.ts).
import { fileURLToPath } from 'node:url'
import { toServicesSchema } from '../shared/services-messages.ts'
import type { FromServices, ToServices } from '../shared/services-messages.ts'
import { messageOf } from '../shared/errors.ts'
import { chooseDataFolder } from './data-folder/choose-data-folder.ts'
import { demoIn } from './commands/demo/demo-in.ts'
import { readConfig } from './settings/config.ts'
import { makeDeskLink } from './commands/desk-link.ts'
import { endInTime } from './operations/end-in-time.ts'
import { openServer } from './start-server.ts'
import type { Listener, Server } from './start-server.ts'
import { createLogLines } from './operations/log-lines.ts'
import { createLogOutput } from './operations/log-output.ts'
import { createLogger } from './operations/logging.ts'
import { createRequestedHelpers } from './processes/requested-helpers.ts'
import { findTakenPorts } from './operations/taken-ports.ts'
import { findParentPort } from './processes/utility-port.ts'
import type { UtilityPort } from './processes/utility-port.ts'
import { logTexts } from './operations/log.texts.ts'

function run(parent: UtilityPort): void {
  const logLines = createLogLines()
  const log = createLogger(logLines.passTo(createLogOutput()))
  // A port between processes has no origins.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const send = (message: FromServices): void => parent.postMessage(message)
  const helpers = createRequestedHelpers({
    start: (id, kind) => send({ type: 'start-helper', id, kind }),
    end: (id) => send({ type: 'end-helper', id }),
  })
  let running: Server | null = null
  let isStopping = false
  // One at a time: each opens the ports that it checks for a moment.
  let portChecks: Promise<void> = Promise.resolve()

  const sendTakenPorts = async (server: Server): Promise<void> => {
    // During a retry the last result stays, or the window would hide its form while a person types.
    if (server.registry.state === 'starting' || server.local.state === 'starting') return
    send({ type: 'taken-ports', taken: await findTakenPorts(server.registry, server.local) })
  }

  const sendState = (server: Server): void => {
    send({
      type: 'state',
      services: [stateOf('registry', server.registry), stateOf('dashboard', server.local)],
    })
    portChecks = portChecks.then(() => sendTakenPorts(server))
  }

  /** Starts these listeners; if one of them fails, the other keeps running. */
  const listen = async (server: Server, listeners: Listener[]): Promise<void> => {
    // A failed listener keeps the reason in its `error`, which is part of the state.
    await Promise.allSettled(listeners.map((listener) => listener.start()))
    if (isStopping || listeners.length === 0) return
    if (server.registry.state === 'running' && server.local.state === 'running') server.announce()
  }

  /** Retries only the listeners that failed: one that a person stopped stays stopped. */
  const retry = async (server: Server): Promise<void> => {
    const failed = [server.registry, server.local].filter(({ state }) => state === 'failed')
    await listen(server, failed)
    sendState(server)
  }

  /** Reports changes while the services run. */
  const follow = (server: Server): void => {
    let address: string | null | undefined
    const followAddress = (): void => {
      const { updateUrl } = server.settings.config
      if (updateUrl !== address) send({ type: 'update-address', address: updateUrl })
      address = updateUrl
    }
    followAddress()
    server.settings.onChange(followAddress)
    server.watch(() => {
      if (!isStopping) sendState(server)
    })
    server.registry.watchUploads((count) => send({ type: 'uploads', count }))
    server.watchNews((news) => send({ type: 'news', ...news }))
  }

  const start = async (ports: { registry: number | null; dashboard: number | null }): Promise<void> => {
    const server = await openServer({
      config: readConfig(),
      formerPorts: ports,
      log,
      logLines,
      startHelper: (kind) => helpers.startHelper(kind),
      // The bundle's folder is next to the built desk.
      markdownEntry: fileURLToPath(new URL('./markdown.js', import.meta.url)),
      deskFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
      clientFolder: fileURLToPath(new URL('../client', import.meta.url)),
      fillDemo: demoIn(fileURLToPath(new URL('../../resources/skills', import.meta.url))),
    })
    running = server
    if (isStopping) return
    follow(server)
    sendState(server)
    await listen(server, [server.registry, server.local])
  }

  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    endInTime()
    await starting.catch(() => {})
    await running?.stop()
    process.exit(0)
  }

  const fail = (error: unknown): void => {
    const sentence = messageOf(error)
    log.error({ err: error }, logTexts.notStarted)
    send({ type: 'failed', sentence })
    // The main process answers with `stop`; exiting now could lose the message.
  }

  const signInLink = async (id: number): Promise<void> => {
    if (running === null) return
    const address = running.local.url
    let link: string | null = null
    try {
      link = (await makeDeskLink(running.settings.config.dataFolder, address, undefined, 'app')).url
    } catch (error) {
      log.error({ err: error }, logTexts.noSignInLink)
    }
    // Without a link, for example with several administrators, the desk itself explains how to sign in.
    send({ type: 'sign-in-link', id, link: link ?? `${address}/desk/` })
  }

  /** Runs what the main process requested and reports the result. */
  const answer = async (id: number, work: (server: Server) => Promise<void>): Promise<void> => {
    let error: string | null = null
    try {
      if (running === null) error = 'The services have not started yet. Try again in a few seconds.'
      else await work(running)
    } catch (thrown) {
      error = messageOf(thrown)
    }
    send({ type: 'done', id, error })
  }

  let starting: Promise<void> = Promise.resolve()
  const onMessage = (message: ToServices, port: UtilityPort | undefined): void => {
    switch (message.type) {
      case 'start':
        starting = start(message.ports)
        starting.catch(fail)
        break
      case 'retry':
        if (running !== null && !isStopping) void retry(running)
        break
      case 'control':
        void answer(message.id, async (server) => server.control(message.service, message.action))
        break
      case 'use-port':
        void answer(message.id, (server) => usePort(server, message.service, message.port, () => portChecks))
        break
      case 'use-data-folder':
        void answer(message.id, () => chooseDataFolder(message.path))
        break
      case 'restore-backup':
        void answer(message.id, (server) =>
          server.restoreBackup(message.file, (text) => send({ type: 'restoring', text })),
        )
        break
      case 'sign-in-link':
        void signInLink(message.id)
        break
      case 'catch-up':
        send({ type: 'done', id: message.id, error: null })
        break
      case 'helper':
        if (port !== undefined) helpers.onPort(message.id, port)
        break
      case 'helper-gone':
        helpers.onGone(message.id)
        break
      case 'stop':
        void stop()
        break
    }
  }

  // Electron only warns about an unhandled rejection; the services exit and the main process restarts them.
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, logTexts.unhandledRejection)
    process.exit(1)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  parent.on('message', ({ data, ports }) => {
    const parsed = toServicesSchema.safeParse(data)
    if (parsed.success) onMessage(parsed.data, ports[0])
  })
}

/** A new port for the desk takes effect after a restart, unless its listener isn't running at all. */
async function usePort(
  server: Server,
  service: 'registry' | 'dashboard',
  port: number,
  portsChecked: () => Promise<void>,
): Promise<void> {
  if (service === 'registry') {
    await server.settings.save({ port })
    return
  }
  await server.settings.save({ dashboardPort: port })
  if (server.local.state === 'running') return
  await server.local.move({ host: '127.0.0.1', port, tls: null })
  // A check that has this port open would make the start fail.
  await portsChecked()
  await server.local.start()
}

function stateOf(name: 'registry' | 'dashboard', listener: Listener) {
  return { name, url: listener.url, state: listener.state, error: listener.error?.message ?? null }
}

const parentPort = findParentPort()
if (parentPort === null) {
  process.stderr.write('This program is part of the Skilldock app. Start the app instead.\n')
  process.exitCode = 1
} else {
  run(parentPort)
}
