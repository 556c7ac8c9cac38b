import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap's young generation at its first size. V8 otherwise lets it grow with what many requests at once keep
 * alive, to 128 MiB on a machine with much memory, and does not give that back. Call it as a process starts.
 */
export function keepYoungGenerationSmall(): void {
  // Read at each collection, unlike the flags that name a size: those have no effect once the process runs.
  setFlagsFromString('--semi-space-growth-factor=1')
}
