/** What the server asks a process of its own: look at the file at `path`, by what `input` says about it. */
export interface HelperRequest {
  path: string
  input?: unknown
}

export interface HelperJob extends HelperRequest {
  id: number
}

/** A started process that works on files of strangers, whatever kind of process it is. */
export interface HelperProcess {
  send(message: HelperJob): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once the process is gone, or could not be started. */
  onExit(listener: () => void): void
  /** Must end it without its help. */
  kill(): void
}
