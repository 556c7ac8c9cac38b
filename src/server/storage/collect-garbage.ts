import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'minor' }) => void

let collect: Collect | null = null

/** Gives back what is young and no longer needed; it takes a millisecond or two. */
function collectYoung(): void {
  if (collect === null) {
    // The engine gives this function to new contexts only once it is asked to.
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  collect({ type: 'minor' })
}

/** Bytes after which what has passed is given back. */
const everyBytes = 4 * 1024 * 1024
let passed = 0

/**
 * To be told of bytes that stream through. Each piece of a body is memory outside of the engine's heap, which it
 * notices late: with ten uploads at once twice as much lies about as with this.
 */
export function noteStreamed(bytes: number): void {
  passed += bytes
  if (passed < everyBytes) return
  passed = 0
  collectYoung()
}
