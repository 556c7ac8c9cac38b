import type { DeskServices } from '../../../shared/contracts/desk-services.ts'
import type { Database } from '../../db/database.ts'
import type { FileStore } from '../../storage/file-store.ts'

/** A listener as the entry knows it. */
export interface ServiceState {
  readonly name: string
  readonly url: string
  readonly state: DeskServices['services'][number]['state']
  readonly error: Error | null
}

export interface DeskServicesParts {
  database: Database
  files: FileStore
  registry(): ServiceState
  dashboard(): ServiceState
  publicUrl(): string
  version: string
  dataFolder: string
}

/** Milliseconds between two looks at the storage. */
const storageCheckMs = 1000

/** The state of both services and of what they stand on. */
export function createDeskServices(parts: DeskServicesParts) {
  const { database, files } = parts
  const startedAt = new Date().toISOString()
  let storage: DeskServices['storage'] = 'ok'
  let checkedAt = -storageCheckMs

  const checkStorage = async (): Promise<void> => {
    checkedAt = performance.now()
    storage = (await files.isAvailable()) ? 'ok' : 'unavailable'
  }

  const state = () => ({
    services: [describe('registry', parts.registry()), describe('dashboard', parts.dashboard())],
    publicUrl: parts.publicUrl(),
    database: database.isAvailable() ? ('ok' as const) : ('unavailable' as const),
    storage,
  })

  return {
    async getServices(openDesks: number): Promise<DeskServices> {
      await checkStorage()
      return {
        ...state(),
        startedAt,
        processId: process.pid,
        version: parts.version,
        nodeVersion: process.versions.node,
        memoryBytes: process.memoryUsage.rss(),
        dataFolder: parts.dataFolder,
        openDesks,
      }
    },

    /** A text that differs whenever something has changed that a desk shows; the storage is up to 1 s old. */
    readServices(): string {
      if (performance.now() - checkedAt >= storageCheckMs) void checkStorage()
      return JSON.stringify(state())
    },
  }
}

export type DeskServicesService = ReturnType<typeof createDeskServices>

function describe(name: 'registry' | 'dashboard', service: ServiceState): DeskServices['services'][number] {
  return { name, url: service.url, state: service.state, error: service.error?.message ?? null }
}
