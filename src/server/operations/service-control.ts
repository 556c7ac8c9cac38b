import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceAction } from '../../shared/contracts/desk-settings.ts'
import { DomainError } from '../../shared/errors.ts'
import { CertificateError } from '../http/certificate.ts'
import type { Listener, Place } from '../http/listener.ts'
import { PortError } from '../http/open-port.ts'
import type { Logger } from './logging.ts'

export interface ServiceControlParts {
  registry: Listener
  local: Listener
  log: Logger
}

export interface ServiceControl {
  /**
   * Starts, stops or restarts a service. The desk comes through the dashboard: that is only restarted, after
   * the answer. Throws NOT_FOUND, PORT_TAKEN or VALIDATION_FAILED.
   */
  control(name: 'registry' | 'dashboard', action: ServiceAction): Promise<void>
  /** The same for the app, which does not come through the dashboard and can stop and start it as well. */
  order(name: 'registry' | 'dashboard', action: ServiceAction): Promise<void>
  /**
   * Opens the registry at another place; one that has failed is started there. Throws as `start` does, and then
   * the former place counts again.
   */
  moveRegistry(place: Place, former: Place): Promise<void>
  /** Stops both; nothing is started any more. */
  stopAll(): Promise<void>
}

/** Milliseconds until a dashboard that could not listen again tries once more: without it nobody could help it. */
const retryMs = 1000

/** The one who starts and stops services while they run: one thing after the other. */
export function createServiceControl({ registry, local, log }: ServiceControlParts): ServiceControl {
  const ending = new AbortController()
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  const start = async (listener: Listener): Promise<void> => {
    if (ending.signal.aborted) return
    try {
      await listener.start()
    } catch (error) {
      throw explainStart(error)
    }
  }

  const restartLocal = async (): Promise<void> => {
    await local.stop()
    while (!ending.signal.aborted) {
      try {
        // oxlint-disable-next-line no-await-in-loop
        await local.start()
        return
      } catch (error) {
        log.error({ err: error, service: 'dashboard' }, 'the dashboard could not be started again')
      }
      // oxlint-disable-next-line no-await-in-loop
      await delay(retryMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  }

  const act = async (listener: Listener, action: ServiceAction): Promise<void> => {
    log.info({ service: listener.name, action }, 'asked for by an administrator')
    await inTurn(async () => {
      if (action !== 'start') await listener.stop()
      if (action !== 'stop') await start(listener)
    })
  }

  return {
    async control(name, action) {
      if (name === 'registry') {
        await act(registry, action)
        return
      }
      if (action !== 'restart') {
        throw new DomainError(
          'NOT_FOUND',
          'The desk comes through this service, so it can only be restarted here. Stop Skilldock to stop it.',
        )
      }
      log.info({ service: name, action }, 'asked for by an administrator')
      // What is in flight is answered first, and that is this request.
      void inTurn(restartLocal)
    },

    order: (name, action) => act(name === 'registry' ? registry : local, action),

    moveRegistry: (place, former) =>
      inTurn(async () => {
        await registry.move(place)
        if (registry.state !== 'failed' || ending.signal.aborted) return
        try {
          await registry.start()
        } catch (error) {
          await registry.move(former)
          throw error
        }
      }),

    async stopAll() {
      ending.abort()
      await Promise.all([last, registry.stop(), local.stop()])
      // What was being started when the end came.
      await Promise.all([registry.stop(), local.stop()])
    },
  }
}

function explainStart(error: unknown): unknown {
  if (error instanceof PortError) return new DomainError('PORT_TAKEN', error.message, { cause: error })
  if (!(error instanceof CertificateError)) return error
  return new DomainError(
    'VALIDATION_FAILED',
    `The certificate cannot be used (${error.words}). Correct it in the settings.`,
    { cause: error },
  )
}
