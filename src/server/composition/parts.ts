import type { AgentsReader } from '../agents/agents-reader.ts'
import type { MarkdownReader } from '../content/markdown-reader.ts'
import type { Database } from '../db/database.ts'
import type { Health } from '../domains/operations/health.service.ts'
import type { Listener } from '../http/listener.ts'
import type { ImageMaker } from '../images/image-maker.ts'
import type { CorruptValues } from '../operations/corrupt-values.ts'
import type { LogLines } from '../operations/log-lines.ts'
import type { Logger } from '../operations/logging.ts'
import type { ServiceControl } from '../operations/service-control.ts'
import type { Environment } from '../settings/config.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { FileStore } from '../storage/file-store.ts'
import type { SigningKey } from '../storage/signing-key.ts'
import type { WasmValidator } from '../wasm/wasm-validator.ts'

/** What the services are made of. */
export interface ServerParts {
  registry: Listener
  local: Listener
  control: ServiceControl
  live: LiveSettings
  environment: Environment
  database: Database
  files: FileStore
  /** Where pictures and their copies are. */
  pictures: FileStore
  signingKey: SigningKey
  validator: WasmValidator
  imageMaker: ImageMaker
  markdown: MarkdownReader
  agents: AgentsReader
  /** Whether what a write needs works. */
  health: Health
  log: Logger
  logLines: LogLines
  corruptValues: CorruptValues
  /** Where clients reach the registry. */
  publicUrl(): string
  /** Check every JSON reply against its contract: in tests and development. */
  checkReplies: boolean
  /** Milliseconds over which a body must average the minimum rate. */
  paceWindowMs: number
  /** Holds the built desk; null where there is none. */
  deskFolder: string | null
  /** Holds the built client and its installer; null where there is none. */
  clientFolder: string | null
  /** Milliseconds between two heartbeats of an event stream. */
  heartbeatMs?: number
  /** Fills the registry with the demo and gives its administrator's subject; null where there is no demo. */
  fillDemo: (() => Promise<string>) | null
}
