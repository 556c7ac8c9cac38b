import type { RunLimits } from '../../shared/contracts/evidence.ts'
import type { SkillManifest } from '../../shared/contracts/manifest.ts'

/** The internal command that starts this program as a child process. */
export const childCommand = 'sandbox-child'

/** What a child process does before it ends. */
export type Job =
  /** Runs a module. */
  | { kind: 'run'; args: readonly string[]; limits: Pick<RunLimits, 'memoryBytes' | 'outputBytes'> }
  /** Inspects a module and, if there is a manifest, runs the checks. */
  | { kind: 'inspect'; manifest: SkillManifest | null }

/** A job with the module and its standard input. */
export interface JobRequest {
  job: Job
  module: Uint8Array<ArrayBuffer>
  stdin: Uint8Array
}

/** Serializes a request: the length of the head, the head, the module, the input. */
export function serializeRequest({ job, module, stdin }: JobRequest): Uint8Array[] {
  const head = Buffer.from(JSON.stringify({ job, moduleBytes: module.length }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return [length, head, module, stdin]
}

export function parseRequest(bytes: Buffer<ArrayBuffer>): JobRequest {
  const moduleAt = 4 + bytes.readUInt32LE()
  const { job, moduleBytes } = JSON.parse(bytes.toString('utf8', 4, moduleAt)) as {
    job: Job
    moduleBytes: number
  }
  const stdinAt = moduleAt + moduleBytes
  return { job, module: new Uint8Array(bytes.subarray(moduleAt, stdinAt)), stdin: bytes.subarray(stdinAt) }
}
