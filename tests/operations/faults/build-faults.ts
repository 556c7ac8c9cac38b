import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Variables } from '../../support/server/command-line.ts'

export interface Faults {
  /** What a server needs so that its system calls fail. */
  variables: Variables
  /** While this file exists, it names the calls that fail; see faults.c. */
  control: string
}

/** Builds the library in a folder. Only writes below `data` fail. Needs Linux and clang. */
export function buildFaults(work: string, data: string): Faults {
  const library = join(work, 'faults.so')
  const control = join(work, 'control')
  const source = join(import.meta.dirname, 'faults.c')
  execFileSync('clang', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  return {
    variables: { LD_PRELOAD: library, FAULTS_FOLDER: data, FAULTS_CONTROL: control },
    control,
  }
}
