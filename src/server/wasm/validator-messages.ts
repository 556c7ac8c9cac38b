import { z } from 'zod'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import { moduleScanSchema } from '../../shared/findings/module-scan.ts'
import type { PackageCheck } from '../../shared/findings/check-package.ts'
import type { HelperAnswer } from '../processes/helper-worker.ts'

/** What a module in order is, and what is in its data; or what is wrong with it. */
export type ValidationResult = PackageCheck

/**
 * What the checking process says of each job. `failed` means that the file could not be read, which is no fault of
 * the module.
 */
export type ValidatorAnswer = HelperAnswer & (ValidationResult | { ok: null; failed: string })

const answered = { id: z.number(), rss: z.number() }

export const validatorAnswer: z.ZodType<ValidatorAnswer> = z.union([
  z.object({ ...answered, ok: z.literal(true), module: moduleFactsSchema, scan: moduleScanSchema }),
  z.object({
    ...answered,
    ok: z.literal(false),
    problems: z.array(z.object({ path: z.string(), message: z.string() })).min(1),
  }),
  z.object({ ...answered, ok: z.null(), failed: z.string() }),
])
