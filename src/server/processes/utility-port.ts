/** The used part of Electron's port of a utility process, and of a port passed through it. */
export interface UtilityPort {
  on(event: 'message', listener: (event: { data: unknown; ports: UtilityPort[] }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(message: unknown): void
  start(): void
  close(): void
}

/** The port to Electron's main process; null if this process is not a utility process. */
export function findParentPort(): UtilityPort | null {
  const { parentPort } = process as typeof process & { parentPort?: UtilityPort | null }
  return parentPort ?? null
}
