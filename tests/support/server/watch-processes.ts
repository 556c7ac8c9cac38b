import { readFileSync } from 'node:fs'
import type { HelperProcess } from '../../../src/server/processes/helper-process.ts'

/** A started process with an id, like a forked one. */
export interface WatchedProcess extends HelperProcess {
  readonly pid: number | undefined
}

/** Resident memory of a process in bytes; 0 if it has ended. */
const residentBytes = (pid: number): number => {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Wraps a function that starts processes, so that a test can observe and kill them. */
export const watchProcesses = (startProcess: () => WatchedProcess) => {
  const pids: number[] = []
  const living = new Set<number>()
  let maxAlive = 0
  let killing = false
  let jobs = 0
  const waiting = new Map<number, () => void>()

  return {
    /** All process ids so far, in start order. */
    pids,
    /** The maximum number of processes running at the same time. */
    get maxAlive(): number {
      return maxAlive
    },
    /** The number of jobs sent to them. */
    get jobs(): number {
      return jobs
    },
    alive: (): number[] => [...living],
    /** Makes each process be killed as soon as it gets a job. */
    killAtJob: (): void => {
      killing = true
    },
    /** Resolves when this many jobs in total have been sent, before the last one can be answered. */
    givenJobs: (count: number): Promise<void> =>
      jobs >= count ? Promise.resolve() : new Promise((resolve) => waiting.set(count, resolve)),
    /** Measures the total memory every 5 ms; `stop` returns the peak in bytes. */
    sampleMemory: () => {
      let peak = 0
      const timer = setInterval(() => {
        peak = Math.max(
          peak,
          [...living].map(residentBytes).reduce((sum, bytes) => sum + bytes, 0),
        )
      }, 5)
      return {
        stop: (): number => {
          clearInterval(timer)
          return peak
        },
      }
    },
    startProcess: (): HelperProcess => {
      const child = startProcess()
      const pid = child.pid ?? 0
      pids.push(pid)
      living.add(pid)
      maxAlive = Math.max(maxAlive, living.size)
      child.onExit(() => living.delete(pid))
      return {
        ...child,
        send: (message) => {
          jobs += 1
          child.send(message)
          if (killing) child.kill()
          waiting.get(jobs)?.()
        },
      }
    },
  }
}
