import { z } from 'zod'
import { moduleFactsSchema } from '../../shared/contracts/desk-review.ts'
import type { ModuleFacts } from '../../shared/contracts/desk-review.ts'
import { findingSchema } from '../../shared/contracts/findings.ts'
import type { Finding } from '../../shared/contracts/findings.ts'
import type { CheckInput } from '../../shared/findings/define-check.ts'
import type { PackageProblem } from '../../shared/wasm/command-module.rules.ts'
import type { HelperAnswer } from '../processes/helper-worker.ts'

/**
 * What the checks of a release need besides its module. `module` has the earlier facts of a module that is no longer
 * valid; with a `problem` its file is not read.
 */
export type ReleaseFacts = Pick<CheckInput, 'manifest' | 'size' | 'registry' | 'module' | 'problem'>

/**
 * The facts or problems of a module, and the findings of the release. `findings` is null if only the module was
 * checked, or if the check did not complete.
 */
export type ValidationResult = { findings: Finding[] | null } & (
  | { ok: true; module: ModuleFacts }
  | { ok: false; problems: PackageProblem[] }
)

/**
 * The process's answer for each job. `failed` means that the file could not be read, which is not a problem of the
 * module.
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
