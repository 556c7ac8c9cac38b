import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeskService, DeskServices } from '../../../shared/contracts/desk-services.ts'
import type { Database } from '../../db/database.ts'
import { freeBytes } from '../../storage/free-bytes.ts'
import type { Health } from './health.service.ts'
import { serviceStatusRepository } from './service-status.repository.ts'

/** A listener as the entry knows it. */
export interface ServiceState {
  readonly name: string
  readonly url: string
  readonly port: number
  readonly state: DeskService['state']
  readonly error: Error | null
  readonly portTaken: boolean
  readonly startedAt: Date | null
  figures(): Pick<DeskService, 'requests' | 'requestsLastMinute' | 'medianMs'>
}

export interface ServiceStatusParts {
  database: Database
  health: Pick<Health, 'read'>
  registry: ServiceState
  local: ServiceState
  publicUrl(): string
  /** What depends on settings that can change at any moment. */
  settings(): Pick<DeskServices, 'behindProxy' | 'workspace' | 'undoMs'>
  /** What the public address answered last, where one is set. */
  publicAnswer(): DeskServices['publicAnswer']
  lastError(service: DeskService['name']): DeskService['lastError']
  version: string
  dataFolder: string
}

/** Releases that are measured at once: a few milliseconds. */
const measuredAtOnce = 1000

/** The state of both services and of what they stand on. */
export function createServiceStatus(parts: ServiceStatusParts) {
  const { database, health } = parts
  const repository = serviceStatusRepository(database.reader)
  const startedAt = new Date().toISOString()
  const amount = { releases: 0, bytes: 0, last: 0 }

  /** Adds what has come since the last time, with turns for others between the pieces. */
  const measure = async (): Promise<{ releases: number | null; packageBytes: number | null }> => {
    try {
      for (;;) {
        database.assertAvailable()
        const { releases, bytes, last } = repository.measureAfter(amount.last, measuredAtOnce)
        if (last === null) break
        amount.releases += releases
        amount.bytes += bytes
        amount.last = last
        if (releases < measuredAtOnce) break
        // oxlint-disable-next-line no-await-in-loop
        await nextTurn()
      }
      return { releases: amount.releases, packageBytes: amount.bytes }
    } catch {
      return { releases: null, packageBytes: null }
    }
  }

  const stand = () => {
    const { checks } = health.read()
    return {
      ...parts.settings(),
      publicUrl: parts.publicUrl(),
      checks,
      database: database.isAvailable() ? ('ok' as const) : ('unavailable' as const),
      storage: checks.storageWrite === 'ok' ? ('ok' as const) : ('unavailable' as const),
    }
  }

  const describe = (name: DeskService['name'], service: ServiceState): DeskService => ({
    ...stateOf(name, service),
    port: service.port,
    portTaken: service.portTaken,
    startedAt: service.startedAt?.toISOString() ?? null,
    ...service.figures(),
    lastError: parts.lastError(name),
  })

  return {
    async getServices(desks: Pick<DeskServices, 'openDesks' | 'deskPeople'>): Promise<DeskServices> {
      return {
        ...stand(),
        ...desks,
        publicAnswer: parts.publicAnswer(),
        services: [describe('registry', parts.registry), describe('dashboard', parts.local)],
        ...(await measure()),
        freeBytes: await freeBytes(parts.dataFolder),
        startedAt,
        processId: process.pid,
        version: parts.version,
        nodeVersion: process.versions.node,
        memoryBytes: process.memoryUsage.rss(),
        dataFolder: parts.dataFolder,
      }
    },

    /** A text that differs whenever something has changed that a desk shows; what the health checks say is up to a few seconds old. */
    readServices(): string {
      const services = [stateOf('registry', parts.registry), stateOf('dashboard', parts.local)]
      return JSON.stringify({ ...stand(), services })
    },
  }
}

export type ServiceStatus = ReturnType<typeof createServiceStatus>

function stateOf(name: DeskService['name'], service: ServiceState) {
  return { name, url: service.url, state: service.state, error: service.error?.message ?? null }
}
