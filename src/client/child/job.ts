import type { RunLimits } from '../../shared/contracts/evidence.ts'
import type { SkillManifest } from '../../shared/contracts/releases.ts'

/** The first word of a child's command line, which nobody writes by hand. */
export const childWord = 'sandbox-child'

/** What a child is there for; once it has done it, it ends. */
export type Job =
  /** Runs a module. */
  | { kind: 'run'; args: readonly string[]; limits: Pick<RunLimits, 'memoryBytes' | 'outputBytes'> }
  /** Looks at a module, and has the checks look at it with its manifest where there is one. */
  | { kind: 'look'; manifest: SkillManifest | null }

/** A job with the module, and what its standard input holds. */
export interface Order {
  job: Job
  module: Uint8Array<ArrayBuffer>
  stdin: Uint8Array
}

/** In pieces: the length of the head, the head, the module, the input. */
export function writeOrder({ job, module, stdin }: Order): Uint8Array[] {
  const head = Buffer.from(JSON.stringify({ job, moduleBytes: module.length }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return [length, head, module, stdin]
}

export function readOrder(bytes: Buffer<ArrayBuffer>): Order {
  const moduleAt = 4 + bytes.readUInt32LE()
  const { job, moduleBytes } = JSON.parse(bytes.toString('utf8', 4, moduleAt)) as {
    job: Job
    moduleBytes: number
  }
  const stdinAt = moduleAt + moduleBytes
  return { job, module: new Uint8Array(bytes.subarray(moduleAt, stdinAt)), stdin: bytes.subarray(stdinAt) }
}
