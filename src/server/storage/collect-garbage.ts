import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'minor' }) => void

let collect: Collect | null = null

/** Collects young garbage, which takes a millisecond or two. */
function collectYoung(): void {
  if (collect === null) {
    // V8 exposes this function to new contexts only after this flag was set.
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  collect({ type: 'minor' })
}

/** Streamed bytes between two collections. */
const everyBytes = 4 * 1024 * 1024
let streamed = 0

/**
 * Call this with the number of streamed bytes. Each chunk of a body is memory outside of V8's heap, which V8 notices
 * late: without this, ten concurrent uploads use twice as much memory.
 */
export function noteStreamed(bytes: number): void {
  streamed += bytes
  if (streamed < everyBytes) return
  streamed = 0
  collectYoung()
}
