import { readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'

const runningSchema = z.object({
  registry: z.string(),
  dashboard: z.string(),
  pid: z.int().positive(),
  startedAt: z.string(),
})

/** Where the running server of a data folder is (rulings, "Ready file"). */
export type Running = z.infer<typeof runningSchema>

/** What `running.json` says of a server that is still alive; null where none is. */
export function readRunning(path: string): Running | null {
  try {
    const running = runningSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    return isAlive(running.pid) ? running : null
  } catch {
    return null
  }
}

export function removeRunning(path: string): void {
  rmSync(path, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
