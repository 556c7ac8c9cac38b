import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the server asks a process of its own: look at the file at `path`, by what `input` says about it. */
export interface HelperRequest {
  path: string
  input?: unknown
}

export interface HelperJob extends HelperRequest {
  id: number
}

/** A started process that reads untrusted files, whatever kind of process it is. */
export interface HelperProcess<Message extends object = HelperJob> {
  send(message: Message): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once the process is gone, or could not be started. */
  onExit(listener: () => void): void
  /** Must end it without its help. */
  kill(): void
}

/** Where the path of a folder begins in which the process that reads agent projects may write. */
export const scratchPrefix = join(tmpdir(), 'skilldock-agents-')
