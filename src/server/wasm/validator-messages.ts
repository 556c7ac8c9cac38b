import { z } from 'zod'
import type { CommandModule, PackageProblem } from '../../shared/wasm/check-command-module.ts'

/** What the server asks its checking process: look at the file at `path`. */
export interface ValidatorJob {
  id: number
  path: string
}

export type ValidationResult = { ok: true; module: CommandModule } | { ok: false; problems: PackageProblem[] }

/**
 * What the checking process says: once that it is ready, then one answer for each job, with its resident
 * memory in bytes. `failed` means that the file could not be read, which is no fault of the module.
 */
export type ValidatorAnswer =
  | { ready: true }
  | ({ id: number; rss: number } & (ValidationResult | { ok: null; failed: string }))

const commandModule: z.ZodType<CommandModule> = z.object({
  size: z.number(),
  wasiFunctions: z.array(z.string()),
  memory: z.object({
    minPages: z.number(),
    maxPages: z.number().nullable(),
    shared: z.boolean(),
    is64: z.boolean(),
  }),
  functionCount: z.number(),
  hasStart: z.boolean(),
  exports: z.array(z.object({ name: z.string(), kind: z.string() })).max(200),
  exportCount: z.number(),
  sections: z.array(z.object({ name: z.string(), size: z.number() })).max(200),
  customSections: z.array(z.string()),
})

const answered = { id: z.number(), rss: z.number() }

/** The process reads hostile files, so what comes out of it is parsed before it is believed. */
export const validatorAnswer: z.ZodType<ValidatorAnswer> = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ ...answered, ok: z.literal(true), module: commandModule }),
  z.object({
    ...answered,
    ok: z.literal(false),
    problems: z.array(z.object({ path: z.string(), message: z.string() })).min(1),
  }),
  z.object({ ...answered, ok: z.null(), failed: z.string() }),
])
