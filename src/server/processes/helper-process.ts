import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A job for a helper process: the file at `path`, with what `input` says about it. */
export interface HelperRequest {
  path: string
  input?: unknown
}

export interface HelperJob extends HelperRequest {
  id: number
}

/** A running helper process, which reads untrusted files. */
export interface HelperProcess<Message extends object = HelperJob> {
  send(message: Message): void
  onMessage(listener: (message: unknown) => void): void
  /** Called when the process has exited or could not be started. */
  onExit(listener: () => void): void
  /** Must end the process without its cooperation. */
  kill(): void
}

/** Path prefix of the folders to which the process that reads agent projects may write. */
export const scratchPrefix = join(tmpdir(), 'skilldock-agents-')
