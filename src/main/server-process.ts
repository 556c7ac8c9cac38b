import { utilityProcess } from 'electron'
import type { UtilityProcess } from 'electron'
import { fromServicesSchema } from '../shared/services-messages.ts'
import type { FromServices, HelperKind, News, ShellState, ToServices } from '../shared/services-messages.ts'
import { endNow } from './end-process.ts'
import { createHelperProcesses } from './helper-processes.ts'
import { createRestartDelay, healthyRunMs } from './restart-delay.ts'
import { createServiceQuestions } from './service-questions.ts'

/** Milliseconds after which what was heard of the services has to do. */
const catchUpLimitMs = 2000

/** Milliseconds that the services get to stop gracefully; they end themselves a little earlier. */
const stopLimitMs = 10_000

export interface Services {
  /** As the window shows it. */
  state(): ShellState
  /** `http://127.0.0.1:PORT` while the desk can be loaded, else null. */
  deskOrigin(): string | null
  /** How often the services came to an end in a row without running again. */
  failures(): number
  /** How many uploads are on their way to the registry. */
  uploads(): number
  /** Resolves when all that the services have said until now has been heard, as far as they answer soon. */
  catchUp(): Promise<void>
  onChange(listener: () => void): void
  onNews(listener: (news: News) => void): void
  /** Calls the listener with the setting `updateUrl` each time that the services have read it. */
  onUpdateAddress(listener: (address: string | null) => void): void
  /** Also after `pause`. */
  start(): void
  /** Stops gracefully until they are started again. */
  pause(): Promise<void>
  /** Tries again at once, whatever was planned. */
  retry(): void
  /** An address of the desk that signs in once: the only administrator, or whoever makes the first one. */
  signInLink(): Promise<string>
  /** Writes another port to the settings, where the service then listens. Throws what is wrong with it. */
  usePort(service: 'registry' | 'dashboard', port: number): Promise<void>
  /** Starts the services anew on another data folder. Throws why it cannot be. */
  useDataFolder(path: string): Promise<void>
  /** Starts the services anew on what a backup holds. Throws why it cannot be. */
  restoreBackup(file: string): Promise<void>
  /** How far that is; null while there is nothing to say. */
  restoreProgress(): string | null
  /** Stops gracefully and for good; resolves when the process is gone. */
  stop(): Promise<void>
}

/** Starts the services in a utility process and keeps them running (docs/decisions/008-packages-and-updates.md). */
export function createServices(entries: { server: string } & Record<HelperKind, string>): Services {
  const helpers = createHelperProcesses(entries)
  const delay = createRestartDelay()
  const listeners: (() => void)[] = []
  const addressListeners: ((address: string | null) => void)[] = []
  const newsListeners: ((news: News) => void)[] = []
  const questions = createServiceQuestions()
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
  // A port between processes, which knows no origins.
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
    // One service may fail alone: the other one goes on while this one is tried again.
    if (broken.length > 0 && retryAt === null && phase !== 'stopping') plan(() => send({ type: 'retry' }))
    changed()
  }

  const onMessage = (message: FromServices, from: UtilityProcess): void => {
    switch (message.type) {
      case 'state':
        onState(message.services)
        break
      case 'failed':
        phase = 'failed'
        sentence = message.sentence
        send({ type: 'stop' })
        changed()
        break
      case 'sign-in-link':
        questions.answer(message.id, message.link)
        break
      case 'done':
        questions.answer(message.id, message.error)
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
        helpers.start(id, kind, from, () => {
          if (child === from) send({ type: 'helper-gone', id })
        })
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
    questions.endAll()
    services = []
    taken = []
    uploads = 0
    if (phase === 'stopping') return
    failures += 1
    if (performance.now() - startedAt > healthyRunMs) delay.reset()
    if (phase !== 'failed') {
      phase = 'restarting'
      sentence = 'The services have ended unexpectedly and are started again.'
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
      serviceName: 'Skilldock services',
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
    const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    send({ type: 'stop' })
    const limit = setTimeout(() => endNow(running), stopLimitMs)
    await gone
    clearTimeout(limit)
  }

  const pause = async (): Promise<void> => {
    await end()
    // Who quits meanwhile stays with `stopping`.
    if (isEnding) return
    phase = 'stopped'
    sentence = null
    failures = 0
    delay.reset()
    changed()
  }

  /** Throws what the services answer, or that they are not there. */
  const request = async (make: (id: number) => ToServices): Promise<void> => {
    if (child === null) throw new Error('The services are not running.')
    const error = await questions.ask((id) => send(make(id)))
    if (error !== null) throw new Error(error)
  }

  const startAnew = async (): Promise<void> => {
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
      // Services that have ended say nothing more.
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
      if (child === null) throw new Error('The services are not running.')
      return (await questions.ask((id) => send({ type: 'sign-in-link', id }))) ?? ''
    },
    usePort: (service, port) => request((id) => ({ type: 'use-port', id, service, port })),
    async useDataFolder(path) {
      await request((id) => ({ type: 'use-data-folder', id, path }))
      await startAnew()
    },
    async restoreBackup(file) {
      try {
        await request((id) => ({ type: 'restore-backup', id, file }))
      } catch (error) {
        // What went wrong after the services had stopped must not leave them so.
        if (services.some(({ state }) => state === 'stopped')) await startAnew()
        throw error
      } finally {
        restoring = null
      }
      await startAnew()
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
