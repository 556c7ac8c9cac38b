// Imported before all other code. Nearly everything that a server allocates at its start stays alive, so V8 would enlarge
// the heap for young objects to its maximum, and an idle server would keep 10 MB that only many requests need.
import { setFlagsFromString } from 'node:v8'

const startMs = 10_000

const setGrowth = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

setGrowth(1)
// V8's default.
setTimeout(setGrowth, startMs, 2).unref()
