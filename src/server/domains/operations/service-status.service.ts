import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DeskService, DeskServices } from '../../../shared/contracts/desk-services.ts'
import type { Database } from '../../db/database.ts'
import { freeBytes } from '../../storage/free-bytes.ts'
import type { Health } from './health.service.ts'
import { serviceStatusRepository } from './service-status.repository.ts'

/** The state of a listener. */
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

interface ServiceStatusParts {
  database: Database
  health: Pick<Health, 'read'>
  registry: ServiceState
  local: ServiceState
  publicUrl(): string
  /** Values that depend on settings, which can change at any time. */
  settings(): Pick<DeskServices, 'behindProxy' | 'workspace' | 'undoMs'>
  /** How the transparency log differs from its last signed checkpoint; null if it doesn't. */
  logProblem(): DeskServices['logProblem']
  /** The last response from the public URL; null without one. */
  publicAnswer(): DeskServices['publicAnswer']
  lastError(service: DeskService['name']): DeskService['lastError']
  version: string
  dataFolder: string
  readBackups(): DeskServices['backups']
  readMirror(): DeskServices['mirror']
  readReplication(): DeskServices['replication']
}

/** Releases per query, which then takes a few milliseconds. */
const batchSize = 1000

/** The state of both services, the database and the storage. */
export function createServiceStatus(parts: ServiceStatusParts) {
  const { database, health } = parts
  const repository = serviceStatusRepository(database.reader)
  const startedAt = new Date().toISOString()
  const amount = { releases: 0, bytes: 0, last: 0 }

  /** Adds the releases since the last call, and lets other work run between queries. */
  const measure = async (): Promise<{ releases: number | null; packageBytes: number | null }> => {
    try {
      for (;;) {
        database.assertAvailable()
        const { releases, bytes, last } = repository.measureAfter(amount.last, batchSize)
        if (last === null) break
        amount.releases += releases
        amount.bytes += bytes
        amount.last = last
        if (releases < batchSize) break
        await nextTurn()
      }
      return { releases: amount.releases, packageBytes: amount.bytes }
    } catch {
      return { releases: null, packageBytes: null }
    }
  }

  const measureFragmentation = (): number | null => {
    try {
      return database.fragmentation()
    } catch {
      return null
    }
  }

  const readMirror = (): DeskServices['mirror'] => {
    try {
      return parts.readMirror()
    } catch {
      return null
    }
  }

  const currentState = () => {
    const { checks } = health.read()
    return {
      ...parts.settings(),
      publicUrl: parts.publicUrl(),
      checks,
      logProblem: parts.logProblem(),
      backups: parts.readBackups(),
      mirror: readMirror(),
      replication: parts.readReplication(),
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
    measurePackages: measure,

    async getServices(desks: Pick<DeskServices, 'openDesks' | 'deskPeople'>): Promise<DeskServices> {
      return {
        ...currentState(),
        ...desks,
        publicAnswer: parts.publicAnswer(),
        services: [describe('registry', parts.registry), describe('dashboard', parts.local)],
        ...(await measure()),
        freeBytes: await freeBytes(parts.dataFolder),
        walBytes: database.walBytes(),
        fragmentation: measureFragmentation(),
        startedAt,
        processId: process.pid,
        version: parts.version,
        nodeVersion: process.versions.node,
        memoryBytes: process.memoryUsage.rss(),
        dataFolder: parts.dataFolder,
      }
    },

    /**
     * A text that changes whenever the desk must show something else. The results of the health checks may be a few
     * seconds old.
     */
    readServices(): string {
      const services = [stateOf('registry', parts.registry), stateOf('dashboard', parts.local)]
      return JSON.stringify({ ...currentState(), services })
    },
  }
}

export type ServiceStatus = ReturnType<typeof createServiceStatus>

function stateOf(name: DeskService['name'], service: ServiceState) {
  return { name, url: service.url, state: service.state, error: service.error?.message ?? null }
}
