import type { UtilityProcess } from 'electron'

/** Kills a utility process. Electron's own `kill` only asks it to end. */
export function endNow(child: UtilityProcess): void {
  if (child.pid === undefined) {
    // Not started yet, which Electron handles, or already ended.
    child.kill()
    return
  }
  try {
    process.kill(child.pid, 'SIGKILL')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}
