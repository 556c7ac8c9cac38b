import type { IncomingMessage, ServerResponse } from 'node:http'
import type { News } from '../../shared/services-messages.ts'
import type { AgentsDesk } from './agents.ts'
import type { AgentsReader } from '../agents/agents-reader.ts'
import type { Environment } from '../settings/config.ts'
import type { CorruptValues } from '../operations/corrupt-values.ts'
import type { MarkdownReader } from '../content/markdown-reader.ts'
import type { Database } from '../db/database.ts'
import type { ServiceState } from '../domains/desk/desk-services.service.ts'
import type { Health } from '../domains/operations/health.service.ts'
import type { CheckBacklog } from '../domains/releases/check-backlog.service.ts'
import type { MakeErrorPage } from '../http/error-page.ts'
import type { ImageMaker } from '../images/image-maker.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { LogLines } from '../operations/log-lines.ts'
import type { Logger } from '../operations/logging.ts'
import type { RecurringTask } from '../operations/recurring-task.ts'
import type { ServiceControl } from '../operations/service-control.ts'
import type { FileStore } from '../storage/file-store.ts'
import type { SigningKey } from '../storage/signing-key.ts'
import type { WasmValidator } from '../wasm/wasm-validator.ts'

/** What the applications are made of. */
export interface AppParts {
  agents: AgentsReader
  markdown: MarkdownReader
  live: LiveSettings
  environment: Environment
  logLines: LogLines
  corruptValues: CorruptValues
  control: ServiceControl['control']
  database: Database
  files: FileStore
  /** Where pictures and their copies are. */
  pictures: FileStore
  imageMaker: ImageMaker
  validator: WasmValidator
  /** Whether what a write needs works. */
  health: Health
  signingKey: SigningKey
  log: Logger
  checkReplies: boolean
  /** Milliseconds over which a body must average the minimum rate. */
  paceWindowMs: number
  /** Where clients reach the registry; known when it listens. */
  publicUrl(): string
  /** Both services, which are made after the applications that they serve. */
  registry(): ServiceState
  dashboard(): ServiceState
  /** Holds the built desk; null where there is none. */
  deskFolder: string | null
  /** Holds the built client and its installer; null where there is none. */
  clientFolder: string | null
  /** Milliseconds between two heartbeats of an event stream. */
  heartbeatMs?: number
  /** Fills the registry with the demo and gives its administrator's subject; null where there is no demo. */
  fillDemo: (() => Promise<string>) | null
}

type Listen = (req: IncomingMessage, res: ServerResponse) => void

/** The applications of both listeners, and what goes on beside them. */
export interface Apps {
  registry: Listen
  /** What people see of the registry's refusals. */
  errorPage: MakeErrorPage
  loopback: Listen
  /** Ends what would keep the loopback listener from stopping. */
  endStreams(): void
  /** Checks again what was submitted before the checks of today; until `end`. */
  backlog: Pick<CheckBacklog, 'start' | 'end'>
  /** Removes what is no longer needed: anonymous pictures, and records of tokens and sessions that ended. */
  housekeeping: readonly RecurringTask[]
  /** Follows the chosen agent project; until `end`. */
  agentsDesk: Pick<AgentsDesk, 'start' | 'end'>
  /** Tells the app of what is new, until the function that it gives is called. */
  watchNews(onNews: (news: News) => void): () => void
  /** For a stop: does what is only in the memory of this process, and can be called again. */
  settle(): Promise<void>
}
