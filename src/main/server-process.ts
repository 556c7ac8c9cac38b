import { utilityProcess } from 'electron'
import type { UtilityProcess } from 'electron'
import { fromServicesSchema } from '../shared/services-messages.ts'
import type { FromServices, ShellState, ToServices } from '../shared/services-messages.ts'
import { endNow } from './end-process.ts'
import { createRestartDelay, healthyRunMs } from './restart-delay.ts'
import { createValidatorProcesses } from './validator-process.ts'

/** Milliseconds that the services get to stop gracefully; their own limit for requests is 10 s. */
const stopLimitMs = 15_000

export interface Services {
  /** As the window shows it. */
  state(): ShellState
  /** `http://127.0.0.1:PORT` while the desk can be loaded, else null. */
  deskOrigin(): string | null
  /** How often the services came to an end in a row without running again. */
  failures(): number
  onChange(listener: () => void): void
  /** Calls the listener with the setting `updateUrl` each time that the services have read it. */
  onUpdateAddress(listener: (address: string | null) => void): void
  start(): void
  /** Tries again at once, whatever was planned. */
  retry(): void
  /** An address of the desk that signs in once: the only administrator, or whoever makes the first one. */
  signInLink(): Promise<string>
  /** Stops gracefully; resolves when the process is gone. */
  stop(): Promise<void>
}

/** Starts the services in a utility process and keeps them running (docs/ARCHITECTURE.md, "The app"). */
export function createServices(entries: { server: string; validator: string }): Services {
  const validators = createValidatorProcesses(entries.validator)
  const delay = createRestartDelay()
  const listeners: (() => void)[] = []
  const addressListeners: ((address: string | null) => void)[] = []
  const waitingForLink = new Map<number, PromiseWithResolvers<string>>()
  let child: UtilityProcess | null = null
  let phase: ShellState['phase'] = 'starting'
  let sentence: string | null = null
  let services: ShellState['services'] = []
  let retryAt: number | null = null
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let requests = 0
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
    retryAt = Date.now() + wait
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
        waitingForLink.get(message.id)?.resolve(message.link)
        break
      case 'update-address':
        for (const listener of addressListeners) listener(message.address)
        break
      case 'start-validator': {
        const { id } = message
        validators.start(id, from, () => {
          if (child === from) send({ type: 'validator-gone', id })
        })
        break
      }
      case 'end-validator':
        validators.end(message.id)
        break
    }
  }

  const onExit = (startedAt: number): void => {
    child = null
    validators.endAll()
    for (const { reject } of waitingForLink.values()) reject(new Error('The services have ended.'))
    services = []
    if (phase === 'stopping') return
    failures += 1
    if (Date.now() - startedAt > healthyRunMs) delay.reset()
    if (phase !== 'failed') {
      phase = 'restarting'
      sentence = 'The services have ended unexpectedly and are started again.'
    }
    plan(start)
    changed()
  }

  const start = (): void => {
    if (child !== null || phase === 'stopping') return
    const startedAt = Date.now()
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

  return {
    state: () => ({
      phase,
      sentence,
      retryInSeconds: retryAt === null ? null : Math.max(0, Math.ceil((retryAt - Date.now()) / 1000)),
      services,
    }),
    deskOrigin: () =>
      phase === 'running' ? (services.find((service) => service.name === 'dashboard')?.url ?? null) : null,
    failures: () => failures,
    onChange: (listener) => void listeners.push(listener),
    onUpdateAddress: (listener) => void addressListeners.push(listener),
    start,
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
    signInLink() {
      const waiting = Promise.withResolvers<string>()
      if (child === null) return Promise.reject(new Error('The services are not running.'))
      requests += 1
      const id = requests
      waitingForLink.set(id, waiting)
      send({ type: 'sign-in-link', id })
      return waiting.promise.finally(() => waitingForLink.delete(id))
    },
    async stop() {
      phase = 'stopping'
      clearTimeout(timer)
      const running = child
      if (running === null) return
      const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      send({ type: 'stop' })
      const limit = setTimeout(() => endNow(running), stopLimitMs)
      await gone
      clearTimeout(limit)
    },
  }
}

function portOf(services: ShellState['services'], name: 'registry' | 'dashboard'): number | null {
  const service = services.find((candidate) => candidate.name === name)
  if (service?.state !== 'running') return null
  const port = Number(new URL(service.url).port)
  return port > 0 ? port : null
}
