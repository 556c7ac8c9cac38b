import type { CallCount, RunProgress, RunSnapshot } from './sandbox-run.ts'

const keptPaths = 20
const keptPathCharacters = 300

/** The output of a program to one stream, up to a limit. */
class OutputStream {
  readonly #limit: number
  #bytes = new Uint8Array(4096)
  #size = 0
  #reported = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  /** Appends as much as the limit allows. Returns false if that is not all. */
  write(bytes: Uint8Array): boolean {
    const room = this.#limit - this.#size
    const accepted = bytes.length > room ? bytes.subarray(0, room) : bytes
    this.#makeRoom(this.#size + accepted.length)
    this.#bytes.set(accepted, this.#size)
    this.#size += accepted.length
    return accepted.length === bytes.length
  }

  all(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#size)
  }

  /** The output since the last call. */
  more(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.slice(this.#reported, this.#size)
    this.#reported = this.#size
    return bytes
  }

  /** Doubles the capacity, because a program may write a million single bytes. */
  #makeRoom(size: number): void {
    if (size <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(size, this.#bytes.length * 2))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Records the calls, output and memory use of a run. */
export class RunRecorder {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly #calls = new Map<string, CallCount>()
  readonly #paths: RunSnapshot['paths'] = []
  #memory: () => number

  constructor(outputBytes: number, minMemoryBytes: number) {
    this.stdout = new OutputStream(outputBytes)
    this.stderr = new OutputStream(outputBytes)
    this.#memory = () => minMemoryBytes
  }

  watch(memory: () => number): void {
    this.#memory = memory
  }

  called(name: string): CallCount {
    const known = this.#calls.get(name)
    const call = known ?? { name, count: 0, refused: 0 }
    if (known === undefined) this.#calls.set(name, call)
    call.count += 1
    return call
  }

  recordPath(name: string, path: string): void {
    if (this.#paths.length < keptPaths) this.#paths.push({ name, path: path.slice(0, keptPathCharacters) })
  }

  progress(): RunProgress {
    return { ...this.snapshot(), moreStdout: this.stdout.more(), moreStderr: this.stderr.more() }
  }

  snapshot(): RunSnapshot {
    return {
      calls: Array.from(this.#calls.values(), (call) => ({ ...call })),
      paths: [...this.#paths],
      // A memory never shrinks, so its current size is its peak.
      peakMemoryBytes: this.#memory(),
      stdoutBytes: this.stdout.size,
      stderrBytes: this.stderr.size,
    }
  }
}
