import type { SkillManifest } from '../../shared/contracts/manifest.ts'
import { maxPackageBytes } from '../../shared/contracts/releases.ts'
import { wasmProblem } from '../../shared/findings/check-package.ts'
import { inspectionSchema } from './answers.ts'
import type { Inspection } from './answers.ts'
import { askChild } from './ask-child.ts'
import type { ChildEnd, ChildOptions } from './ask-child.ts'
import { texts } from './child.texts.ts'

/** Same as the registry's limit. */
const timeMs = 5_000

type Options = Pick<ChildOptions<Inspection>, 'signal' | 'program'>

/** Inspects a module with the registry's rules and checks, in its own process. */
export async function inspectInChild(
  module: Uint8Array<ArrayBuffer>,
  manifest: SkillManifest | null,
  options: Options,
): Promise<Inspection> {
  const end = module.length > maxPackageBytes ? tooLarge : await ask(module, manifest, options)
  if (end.kind === 'answer') return end.answer
  // The checks of the manifest's texts still work without the module.
  const second = await ask(new Uint8Array(), manifest, options)
  const findings = second.kind === 'answer' ? second.answer.findings : []
  return { ok: false, problems: [wasmProblem(failureReason(end))], findings }
}

const tooLarge = { kind: 'too-large' } as const

const ask = (
  module: Uint8Array<ArrayBuffer>,
  manifest: SkillManifest | null,
  options: Options,
): Promise<ChildEnd<Inspection>> =>
  askChild(
    { job: { kind: 'inspect', manifest }, module, stdin: Buffer.alloc(0) },
    { schema: inspectionSchema, timeMs, ...options },
  )

function failureReason(end: Exclude<ChildEnd<Inspection>, { kind: 'answer' }> | typeof tooLarge): string {
  if (end.kind === 'too-large') return texts.tooLarge
  return end.kind === 'time-limit' ? texts.tooSlow(timeMs / 1000) : texts.notChecked(end.reason)
}
