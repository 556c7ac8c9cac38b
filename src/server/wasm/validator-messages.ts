import { z } from 'zod'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import type { ModuleFacts } from '../../shared/contracts/desk-review.ts'
import { moduleScanSchema } from '../../shared/findings/module-scan.ts'
import type { ModuleScan } from '../../shared/findings/module-scan.ts'
import type { PackageProblem } from '../../shared/wasm/check-command-module.ts'

/** What the server asks its checking process: look at the file at `path`. */
export interface ValidatorJob {
  id: number
  path: string
}

/** What a module in order is, and what is in its data; or what is wrong with it. */
export type ValidationResult =
  | { ok: true; module: ModuleFacts; scan: ModuleScan }
  | { ok: false; problems: PackageProblem[] }

/**
 * What the checking process says: once that it is ready, then one answer for each job, with its resident
 * memory in bytes. `failed` means that the file could not be read, which is no fault of the module.
 */
export type ValidatorAnswer =
  | { ready: true }
  | ({ id: number; rss: number } & (ValidationResult | { ok: null; failed: string }))

const answered = { id: z.number(), rss: z.number() }

/** The process reads hostile files, so what comes out of it is parsed before it is believed. */
export const validatorAnswer: z.ZodType<ValidatorAnswer> = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ ...answered, ok: z.literal(true), module: moduleFactsSchema, scan: moduleScanSchema }),
  z.object({
    ...answered,
    ok: z.literal(false),
    problems: z.array(z.object({ path: z.string(), message: z.string() })).min(1),
  }),
  z.object({ ...answered, ok: z.null(), failed: z.string() }),
])
