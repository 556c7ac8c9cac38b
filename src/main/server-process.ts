import { utilityProcess } from 'electron'
import type { UtilityProcess } from 'electron'
import { fromServicesSchema } from '../shared/services-messages.ts'
import type { FromServices, HelperKind, News, ShellState, ToServices } from '../shared/services-messages.ts'
import { texts } from './app.texts.ts'
import { endNow } from './end-process.ts'
import { createHelperProcesses } from './helper-processes.ts'
import { createRestartDelay, healthyRunMs } from './restart-delay.ts'
import { createPendingRequests } from './pending-requests.ts'

/** Maximum milliseconds to wait until the services have caught up. */
const catchUpLimitMs = 2000

/** Maximum milliseconds for a graceful stop of the services. They end themselves a little earlier. */
const stopLimitMs = 10_000

export interface Services {
  /** The state shown in the window. */
  state(): ShellState
  /** `http://127.0.0.1:PORT` while the desk can be loaded, otherwise null. */
  deskOrigin(): string | null
  /** How many times in a row the services have stopped unexpectedly since they last ran. */
  failures(): number
  /** The number of uploads in progress. */
  uploads(): number
  /** Resolves when all earlier messages of the services have arrived, or after a short time. */
  catchUp(): Promise<void>
  onChange(listener: () => void): void
  onNews(listener: (news: News) => void): void
  /** Calls the listener with the setting `updateUrl` each time the services have read it. */
  onUpdateAddress(listener: (address: string | null) => void): void
  /** Starts the services, even after `pause`. */
  start(): void
  /** Stops gracefully until started again. */
  pause(): Promise<void>
  /** Retries immediately instead of after the delay. */
  retry(): void
  /**
   * A single-use link that signs in the only administrator or lets the person create the first one. With several
   * administrators, the address of the desk.
   */
  signInLink(): Promise<string>
  /** Writes another port to the settings and listens there. Throws an error for the user. */
  usePort(service: 'registry' | 'dashboard', port: number): Promise<void>
  /** Restarts the services with another data folder. Throws an error for the user. */
  useDataFolder(path: string): Promise<void>
  /** Restarts the services with the contents of a backup. Throws an error for the user. */
  restoreBackup(file: string): Promise<void>
  /** The progress of the restore as text, or null. */
  restoreProgress(): string | null
  /** Stops gracefully and permanently. Resolves when the process has ended. */
  stop(): Promise<void>
}

/** Starts the services in a utility process and keeps them running (docs/decisions/008-packages-and-updates.md). */
export function createServices(entries: { server: string } & Record<HelperKind, string>): Services {
  const helpers = createHelperProcesses(entries)
  const delay = createRestartDelay()
  const listeners: (() => void)[] = []
  const addressListeners: ((address: string | null) => void)[] = []
  const newsListeners: ((news: News) => void)[] = []
  const requests = createPendingRequests()
  let child: UtilityProcess | null = null
  let phase: ShellState['phase'] = 'starting'
  let sentence: string | null = null
  let services: ShellState['services'] = []
  let taken: ShellState['taken'] = []
  let uploads = 0
  let restoring: string | null = null
  let retryAt: number | null = null
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isEnding = false
  let ports: { registry: number | null; dashboard: number | null } = { registry: null, dashboard: null }

  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  // This is a port between processes, which has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const send = (message: ToServices): void => child?.postMessage(message)

  const plan = (attempt: () => void): void => {
    clearTimeout(timer)
    const wait = delay.next()
    retryAt = performance.now() + wait
    timer = setTimeout(() => {
      retryAt = null
      attempt()
    }, wait)
  }

  const onState = (now: ShellState['services']): void => {
    services = now
    const broken = now.filter((service) => service.state === 'failed')
    const desk = now.find((service) => service.name === 'dashboard')
    sentence = broken[0]?.error ?? null
    if (phase !== 'stopping') {
      if (desk?.state === 'running') phase = 'running'
      else if (desk?.state === 'failed') phase = 'failed'
    }
    if (phase === 'running') failures = 0
    ports = {
      registry: portOf(now, 'registry') ?? ports.registry,
      dashboard: portOf(now, 'dashboard') ?? ports.dashboard,
    }
    // One service may fail alone. The other keeps running while this one is retried.
    if (broken.length > 0 && retryAt === null && phase !== 'stopping') plan(() => send({ type: 'retry' }))
    changed()
  }

  const onMessage = (message: FromServices, from: UtilityProcess): void => {
    switch (message.type) {
      case 'state':
        onState(message.services)
        break
      case 'failed':
        // Otherwise the end of the process would count as a failure, after which the services are started again.
        if (phase === 'stopping') break
        phase = 'failed'
        sentence = message.sentence
        send({ type: 'stop' })
        changed()
        break
      case 'sign-in-link':
        requests.resolve(message.id, message.link)
        break
      case 'done':
        requests.resolve(message.id, message.error)
        break
      case 'taken-ports':
        if (taken.length === 0 && message.taken.length === 0) break
        taken = message.taken
        changed()
        break
      case 'uploads':
        uploads = message.count
        break
      case 'news': {
        const { type: _, ...news } = message
        for (const listener of newsListeners) listener(news)
        break
      }
      case 'restoring':
        restoring = message.text
        break
      case 'update-address':
        for (const listener of addressListeners) listener(message.address)
        break
      case 'start-helper': {
        const { id, kind } = message
        helpers.start(
          id,
          kind,
          (port) => from.postMessage({ type: 'helper', id }, [port]),
          () => {
            if (child === from) send({ type: 'helper-gone', id })
          },
        )
        break
      }
      case 'end-helper':
        helpers.end(message.id)
        break
    }
  }

  const onExit = (startedAt: number): void => {
    child = null
    helpers.endAll()
    requests.rejectAll()
    services = []
    taken = []
    uploads = 0
    if (phase === 'stopping') return
    failures += 1
    if (performance.now() - startedAt > healthyRunMs) delay.reset()
    if (phase !== 'failed') {
      phase = 'restarting'
      sentence = texts.sentences.crashed
    }
    plan(start)
    changed()
  }

  const start = (): void => {
    if (child !== null || phase === 'stopping') return
    if (phase === 'stopped') {
      phase = 'starting'
      changed()
    }
    const startedAt = performance.now()
    const started = utilityProcess.fork(entries.server, [], {
      serviceName: texts.processes.services,
      stdio: 'inherit',
    })
    child = started
    started.on('message', (message: unknown) => {
      const parsed = fromServicesSchema.safeParse(message)
      if (parsed.success && child === started) onMessage(parsed.data, started)
    })
    started.once('exit', () => onExit(startedAt))
    send({ type: 'start', ports })
  }

  const end = async (): Promise<void> => {
    phase = 'stopping'
    clearTimeout(timer)
    retryAt = null
    changed()
    const running = child
    if (running === null) return
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    send({ type: 'stop' })
    const limit = setTimeout(() => endNow(running), stopLimitMs)
    await ended
    clearTimeout(limit)
  }

  const pause = async (): Promise<void> => {
    await end()
    // If the app is quitting, the phase remains `stopping`.
    if (isEnding) return
    phase = 'stopped'
    sentence = null
    failures = 0
    delay.reset()
    changed()
  }

  /** Throws the error that the services answer with, or an error if they are not running. */
  const request = async (make: (id: number) => ToServices): Promise<void> => {
    if (child === null) throw new Error(texts.errors.notRunning)
    const error = await requests.send((id) => send(make(id)))
    if (error !== null) throw new Error(error)
  }

  const restart = async (): Promise<void> => {
    await pause()
    if (!isEnding) start()
  }

  return {
    state: () => ({
      phase,
      sentence,
      retryInSeconds: retryAt === null ? null : Math.max(0, Math.ceil((retryAt - performance.now()) / 1000)),
      services,
      taken,
    }),
    deskOrigin: () =>
      phase === 'running' ? (services.find((service) => service.name === 'dashboard')?.url ?? null) : null,
    failures: () => failures,
    uploads: () => uploads,
    async catchUp() {
      // Rejected if the services have ended, in which case there are no more messages.
      const answered = request((id) => ({ type: 'catch-up', id })).catch(() => {})
      const late = Promise.withResolvers<void>()
      const limit = setTimeout(late.resolve, catchUpLimitMs)
      await Promise.race([answered, late.promise])
      clearTimeout(limit)
    },
    onChange: (listener) => void listeners.push(listener),
    onNews: (listener) => void newsListeners.push(listener),
    onUpdateAddress: (listener) => void addressListeners.push(listener),
    start,
    pause,
    retry() {
      if (phase === 'stopping') return
      clearTimeout(timer)
      retryAt = null
      delay.reset()
      phase = failures > 0 ? 'restarting' : 'starting'
      sentence = null
      changed()
      if (child === null) start()
      else send({ type: 'retry' })
    },
    async signInLink() {
      if (child === null) throw new Error(texts.errors.notRunning)
      return (await requests.send((id) => send({ type: 'sign-in-link', id }))) ?? ''
    },
    usePort: (service, port) => request((id) => ({ type: 'use-port', id, service, port })),
    async useDataFolder(path) {
      await request((id) => ({ type: 'use-data-folder', id, path }))
      await restart()
    },
    async restoreBackup(file) {
      try {
        await request((id) => ({ type: 'restore-backup', id, file }))
      } catch (error) {
        // If the services were already stopped when it failed, start them again.
        if (services.some(({ state }) => state === 'stopped')) await restart()
        throw error
      } finally {
        restoring = null
      }
      await restart()
    },
    restoreProgress: () => restoring,
    async stop() {
      isEnding = true
      await end()
    },
  }
}

function portOf(services: ShellState['services'], name: 'registry' | 'dashboard'): number | null {
  const service = services.find((candidate) => candidate.name === name)
  if (service?.state !== 'running') return null
  const port = Number(new URL(service.url).port)
  return port > 0 ? port : null
}
