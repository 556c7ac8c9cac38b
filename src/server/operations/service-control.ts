import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceAction } from '../../shared/contracts/desk-settings.ts'
import { DomainError } from '../../shared/errors.ts'
import { CertificateError } from '../http/certificate.ts'
import type { Listener, ListenAddress } from '../http/listener.ts'
import { PortError } from '../http/open-port.ts'
import type { Logger } from './logging.ts'
import { texts } from '../http/http.texts.ts'
import { logTexts } from './log.texts.ts'

interface ServiceControlParts {
  registry: Listener
  local: Listener
  log: Logger
}

/** Milliseconds between attempts to restart the local listener, which nobody could restart without the desk. */
const retryMs = 1000

/** Starts and stops the services at run time, one action at a time. */
export function createServiceControl({ registry, local, log }: ServiceControlParts) {
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
        await local.start()
        return
      } catch (error) {
        log.error({ err: error, service: 'dashboard' }, logTexts.localNotRestarted)
      }
      await delay(retryMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  }

  const act = async (listener: Listener, action: ServiceAction): Promise<void> => {
    log.info({ service: listener.name, action }, logTexts.requestedAction)
    await inTurn(async () => {
      if (action !== 'start') await listener.stop()
      if (action !== 'stop') await start(listener)
    })
  }

  return {
    /**
     * Starts, stops or restarts a service for the desk. The desk itself runs on the local listener (`dashboard`), which
     * can only be restarted, after the answer was sent. Throws NOT_FOUND, PORT_TAKEN or VALIDATION_FAILED.
     */
    async control(name: 'registry' | 'dashboard', action: ServiceAction): Promise<void> {
      if (name === 'registry') {
        await act(registry, action)
        return
      }
      if (action !== 'restart') {
        throw new DomainError('NOT_FOUND', texts.listening.onlyRestart)
      }
      log.info({ service: name, action }, logTexts.requestedAction)
      // Requests in flight, including this one, are answered first.
      void inTurn(restartLocal)
    },

    /** The same for the app, which doesn't use the local listener and may also stop and start it. */
    order: (name: 'registry' | 'dashboard', action: ServiceAction): Promise<void> =>
      act(name === 'registry' ? registry : local, action),

    /**
     * Moves the registry to another address, and starts it there if it had failed. If it throws, as `start` does, the
     * registry keeps its former address.
     */
    moveRegistry: (address: ListenAddress, former: ListenAddress): Promise<void> =>
      inTurn(async () => {
        await registry.move(address)
        if (registry.state !== 'failed' || ending.signal.aborted) return
        try {
          await registry.start()
        } catch (error) {
          await registry.move(former)
          throw error
        }
      }),

    /** Stops both listeners and prevents any further start. */
    async stopAll(): Promise<void> {
      ending.abort()
      await Promise.all([last, registry.stop(), local.stop()])
    },
  }
}

export type ServiceControl = ReturnType<typeof createServiceControl>

function explainStart(error: unknown): unknown {
  if (error instanceof PortError) return new DomainError('PORT_TAKEN', error.message, { cause: error })
  if (!(error instanceof CertificateError)) return error
  return new DomainError('VALIDATION_FAILED', texts.certificate.change(error.explanation), { cause: error })
}
