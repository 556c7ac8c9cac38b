import { z } from 'zod'
import { runEnds } from '../../shared/contracts/evidence.ts'
import type { RunLimits } from '../../shared/contracts/evidence.ts'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import { findingSchema } from '../../shared/contracts/findings.ts'
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

// What comes back is read like anything from outside: the child has had a stranger's module in its hands.

const count = z.int().min(0)

const seenShape = {
  calls: z.array(z.strictObject({ name: z.string().max(64), count, refused: count })).max(64),
  paths: z.array(z.strictObject({ name: z.string().max(64), path: z.string().max(300) })).max(20),
  peakMemoryBytes: count,
  stdoutBytes: count,
  stderrBytes: count,
}

/** A run that goes on. */
export const seenSchema = z.strictObject(seenShape)

/** A run that has ended; its output came before. */
export const ranSchema = z.strictObject({
  ...seenShape,
  end: z.enum(runEnds),
  exitCode: z.int().min(0).max(4_294_967_295).nullable(),
  detail: z.string().max(300).nullable(),
  timeMs: z.number().min(0),
  clamped: z.boolean(),
})

/** What was seen in a module. */
export const lookedSchema = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    module: moduleFactsSchema,
    findings: z.array(findingSchema).max(60),
  }),
  z.strictObject({
    ok: z.literal(false),
    problems: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .min(1)
      .max(40),
    findings: z.array(findingSchema).max(60),
  }),
])
export type Looked = z.infer<typeof lookedSchema>
