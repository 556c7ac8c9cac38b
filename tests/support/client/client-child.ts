import { readFileSync, readlinkSync } from 'node:fs'
import { until } from '../wait.ts'

// Process information from /proc on Linux.

/** The ids of the child processes of a process. */
export const childrenOf = (pid = 0): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
      .filter(Boolean)
  } catch {
    return []
  }
}

/** Waits for the process in which a client handles a module, and returns its id. */
export const childOf = (pid: number | undefined): Promise<number> =>
  until('the client has a child', () => childrenOf(pid)[0])

/** Whether a process is running. A zombie is not. */
export const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The arguments, environment and working directory that a process was started with. */
export const startOf = (pid: number): { args: string[]; environment: string; folder: string } => ({
  args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1),
  environment: readFileSync(`/proc/${pid}/environ`, 'utf8'),
  folder: readlinkSync(`/proc/${pid}/cwd`),
})

/** The memory limit of a process in bytes, or Infinity. */
export const limitOfData = (pid: number): number => {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
  return Number(/^Max data size +(\d+) /m.exec(limits)?.[1] ?? Infinity)
}
