/** What is used here of the port that Electron gives a utility process, and of a port passed through it. */
export interface UtilityPort {
  on(event: 'message', listener: (event: { data: unknown; ports: UtilityPort[] }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(message: unknown): void
  start(): void
  close(): void
}

/** The way to Electron's main process; null where this process is not one of its utility processes. */
export function findParentPort(): UtilityPort | null {
  const { parentPort } = process as typeof process & { parentPort?: UtilityPort | null }
  return parentPort ?? null
}
