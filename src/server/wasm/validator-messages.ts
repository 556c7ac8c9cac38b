import { z } from 'zod'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import type { ModuleFacts } from '../../shared/contracts/desk-review.ts'
import { findingSchema } from '../../shared/contracts/findings.ts'
import type { Finding } from '../../shared/contracts/findings.ts'
import type { CheckInput } from '../../shared/findings/check.ts'
import type { PackageProblem } from '../../shared/wasm/check-command-module.ts'
import type { HelperAnswer } from '../processes/helper-worker.ts'

/**
 * What the checks of a release need to know beside its module. `module` is what was seen of it before, for a module
 * that is not in order any more; with a `problem` its file is not read.
 */
export type ReleaseFacts = Pick<CheckInput, 'manifest' | 'size' | 'registry' | 'module' | 'problem'>

/**
 * What a module in order is, or what is wrong with it; and what the checks find in the release. `findings` is null
 * where only the module was to be checked, and where the check did not come to its end.
 */
export type ValidationResult = { findings: Finding[] | null } & (
  | { ok: true; module: ModuleFacts }
  | { ok: false; problems: PackageProblem[] }
)

/**
 * What the checking process says of each job. `failed` means that the file could not be read, which is no fault of
 * the module.
 */
export type ValidatorAnswer = HelperAnswer & (ValidationResult | { ok: null; failed: string })

const answered = { id: z.number(), rss: z.number() }
const findings = z.array(findingSchema).nullable()

export const validatorAnswer: z.ZodType<ValidatorAnswer> = z.union([
  z.object({ ...answered, ok: z.literal(true), module: moduleFactsSchema, findings }),
  z.object({
    ...answered,
    ok: z.literal(false),
    problems: z.array(z.object({ path: z.string(), message: z.string() })).min(1),
    findings,
  }),
  z.object({ ...answered, ok: z.null(), failed: z.string() }),
])
