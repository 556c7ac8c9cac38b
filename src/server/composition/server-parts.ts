import type { AgentsReader } from '../agents/agents-reader.ts'
import type { ScheduledBackups } from '../backup/scheduled-backups.ts'
import type { MarkdownReader } from '../content/markdown-reader.ts'
import type { Database } from '../db/database.ts'
import type { Health } from '../domains/operations/health.service.ts'
import type { Listener } from '../http/listener.ts'
import type { ImageMaker } from '../images/image-maker.ts'
import type { CorruptValues } from '../operations/corrupt-values.ts'
import type { DeliveryTiming } from '../domains/notifications/deliveries.service.ts'
import type { LogLines } from '../operations/log-lines.ts'
import type { RateLimitChanges } from '../http/rate-limits.ts'
import type { Logger } from '../operations/logging.ts'
import type { ServiceControl } from '../operations/service-control.ts'
import type { Environment } from '../settings/config.ts'
import type { Replication } from '../replication/replication.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { FileStore } from '../storage/file-store.ts'
import type { Checkpoints } from '../domains/log/log-checkpoints.service.ts'
import type { LogKey } from '../storage/log-checkpoint.ts'
import type { AttestationKeys } from '../storage/attestation-key.ts'
import type { SigningKey } from '../storage/signing-key.ts'
import type { WasmValidator } from '../wasm/wasm-validator.ts'

/** The parts that all services are created from. */
export interface ServerParts {
  registry: Listener
  local: Listener
  control: ServiceControl
  live: LiveSettings
  environment: Environment
  database: Database
  files: FileStore
  /** Images and their renditions. */
  imageFiles: FileStore
  signingKey: SigningKey
  attestationKeys: AttestationKeys
  logKey: LogKey
  /** Saves checkpoints of the transparency log. */
  checkpoints: Checkpoints
  validator: WasmValidator
  imageMaker: ImageMaker
  markdown: MarkdownReader
  agents: AgentsReader
  /** Whether everything that a write needs works. */
  health: Health
  /** Backups by schedule, each tested by restoring it. */
  backups: ScheduledBackups
  /** Keeps the database in the bucket; null if it is only in the data folder. */
  replication: Replication | null
  log: Logger
  logLines: LogLines
  corruptValues: CorruptValues
  /** The URL at which clients reach the registry. */
  publicUrl(): string
  /** Checks every JSON reply against its contract; for tests and development. */
  checkReplies: boolean
  /** Milliseconds over which a body must average the minimum rate. */
  paceWindowMs: number
  /** Rate limits other than the usual ones. */
  rateLimits: RateLimitChanges
  /** Replaces the clock and the delays of deliveries, for tests. */
  deliveryTiming: Partial<DeliveryTiming>
  /** Holds the built desk; null if there is no build. */
  deskFolder: string | null
  /** Holds the built client and its install script; null if there is no build. */
  clientFolder: string | null
  /** Milliseconds between two heartbeats of an event stream. */
  heartbeatMs?: number
  /** Fills the registry with the demo and returns its administrator's subject; null if no demo is offered. */
  fillDemo: (() => Promise<string>) | null
}
