import type { SkillManifest } from '../../shared/contracts/releases.ts'
import { maxPackageBytes } from '../../shared/contracts/releases.ts'
import { inWasm } from '../../shared/findings/check-package.ts'
import { lookedSchema } from './answers.ts'
import type { Looked } from './answers.ts'
import { askChild } from './ask-child.ts'
import type { ChildEnd, ChildOptions } from './ask-child.ts'

/** Same as the registry's limit. */
const timeMs = 5_000

type Options = Pick<ChildOptions<Looked>, 'signal' | 'program'>

/** Inspects a module with the registry's rules and checks, in its own process. */
export async function lookInChild(
  module: Uint8Array<ArrayBuffer>,
  manifest: SkillManifest | null,
  options: Options,
): Promise<Looked> {
  const end = module.length > maxPackageBytes ? tooLarge : await ask(module, manifest, options)
  if (end.kind === 'answer') return end.answer
  // The checks of the manifest's texts still work without the module.
  const texts = await ask(new Uint8Array(), manifest, options)
  const findings = texts.kind === 'answer' ? texts.answer.findings : []
  return { ok: false, problems: [inWasm(whyNot(end))], findings }
}

const tooLarge = { kind: 'too-large' } as const

const ask = (
  module: Uint8Array<ArrayBuffer>,
  manifest: SkillManifest | null,
  options: Options,
): Promise<ChildEnd<Looked>> =>
  askChild(
    { job: { kind: 'look', manifest }, module, stdin: Buffer.alloc(0) },
    { schema: lookedSchema, timeMs, ...options },
  )

function whyNot(end: Exclude<ChildEnd<Looked>, { kind: 'answer' }> | typeof tooLarge): string {
  if (end.kind === 'too-large') return 'The module is larger than 16 MiB.'
  return end.kind === 'time-limit'
    ? `Checking the module took longer than ${timeMs / 1000} s. Use a smaller or simpler one.`
    : `The module could not be checked. ${end.reason}`
}
