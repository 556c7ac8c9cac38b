import type { UtilityProcess } from 'electron'

/** Ends a utility process without its help: `kill` of Electron only asks it to end. */
export function endNow(child: UtilityProcess): void {
  if (child.pid === undefined) {
    // Not there yet, or gone already; Electron itself looks after the first.
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
