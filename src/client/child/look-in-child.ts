import type { SkillManifest } from '../../shared/contracts/releases.ts'
import { maxPackageBytes } from '../../shared/contracts/releases.ts'
import { inWasm } from '../../shared/findings/check-package.ts'
import { askChild } from './ask-child.ts'
import type { ChildOptions } from './ask-child.ts'
import { lookedSchema } from './job.ts'
import type { Looked } from './job.ts'

/** The registry gives up after as long. */
const timeMs = 5_000

/** Looks at a module with the rules of the registry and its checks, in a process of its own. */
export async function lookInChild(
  module: Uint8Array<ArrayBuffer>,
  manifest: SkillManifest | null,
  { signal, program }: Pick<ChildOptions<Looked>, 'signal' | 'program'>,
): Promise<Looked> {
  if (module.length > maxPackageBytes) return problem('The module is larger than 16 MiB.')
  const job = { kind: 'look', manifest } as const
  const end = await askChild(
    { job, module, stdin: Buffer.alloc(0) },
    { schema: lookedSchema, timeMs, signal, program },
  )
  if (end.kind === 'answer') return end.answer
  return problem(
    end.kind === 'time-limit'
      ? `The module took longer than ${timeMs / 1000} s to check. Send a smaller or simpler one.`
      : `The module could not be checked. ${end.reason}`,
  )
}

const problem = (message: string): Looked => ({ ok: false, problems: [inWasm(message)], findings: [] })
