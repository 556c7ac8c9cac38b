import { readFileSync } from 'node:fs'
import type { HelperProcess } from '../../../src/server/processes/helper-process.ts'

/** A started process that tells its id, as forked ones do. */
export interface WatchedProcess extends HelperProcess {
  readonly pid: number | undefined
}

/** Resident memory of a process in bytes; 0 when it is gone. */
const residentBytes = (pid: number): number => {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Wraps a way to start such processes so that a test sees which there were, and may kill them. */
export const watchProcesses = (startProcess: () => WatchedProcess) => {
  const pids: number[] = []
  const living = new Set<number>()
  let most = 0
  let killing = false
  let jobs = 0
  const waiting = new Map<number, () => void>()

  return {
    /** All process ids so far, in the order of their start. */
    pids,
    /** The most that lived at one time. */
    get most(): number {
      return most
    },
    /** How many jobs were given to them. */
    get jobs(): number {
      return jobs
    },
    alive: (): number[] => [...living],
    /** From now on kills each process as soon as it is given a job. */
    killAtJob: (): void => {
      killing = true
    },
    /** Resolves when this many jobs in all have been given to them, before there can be an answer to the last one. */
    givenJobs: (count: number): Promise<void> =>
      jobs >= count ? Promise.resolve() : new Promise((resolve) => waiting.set(count, resolve)),
    /** Measures the memory of all of them every 5 ms; `stop` returns the peak of the sum, in bytes. */
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
      most = Math.max(most, living.size)
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
