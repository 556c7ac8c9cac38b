import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { start } from '../server/command-line.ts'
import type { Variables } from '../server/command-line.ts'

// Reads and runs workflows like GitHub Actions: https://docs.github.com/en/actions/reference/workflows-and-actions

const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

const variables = z.record(z.string(), z.string()).default({})

const stepSchema = z.union([
  z.strictObject({ uses: z.string(), with: z.record(z.string(), z.unknown()).default({}) }),
  z.strictObject({ name: z.string(), env: variables, run: z.string() }),
])

const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }),
  jobs: z.record(
    z.string(),
    z.strictObject({
      needs: z.string().optional(),
      'runs-on': z.string(),
      // Ignored by `runJob`, which runs on this system with this user's permissions.
      container: z.string().optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      'timeout-minutes': z.number(),
      env: variables,
      steps: z.array(stepSchema),
    }),
  ),
})

export type Workflow = z.infer<typeof workflowSchema>

/** Reads a workflow. Throws if it uses anything that `runJob` does not support. */
export const readWorkflow = (file: string): Workflow => workflowSchema.parse(load(readFileSync(file, 'utf8')))

export interface Runner {
  /** The folder of the checked-out repository. */
  cwd: string
  env: Variables
  secrets: Record<string, string>
}

export interface RanStep {
  name: string
  status: number | null
  output: string
}

/** Runs the `run` steps of a job up to the first that fails, each with the shell options that GitHub uses for `bash`. */
export async function runJob(workflow: Workflow, job: string, runner: Runner): Promise<RanStep[]> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-runner-'))
  try {
    const pathFile = join(folder, 'path')
    const scriptFile = join(folder, 'step.sh')
    writeFileSync(pathFile, '')
    const { env = {}, steps = [] } = workflow.jobs[job] ?? {}
    const done: RanStep[] = []
    for (const step of steps) {
      if (!('run' in step)) continue
      writeFileSync(scriptFile, step.run)
      const added = readFileSync(pathFile, 'utf8').split('\n').filter(Boolean)
      const { ended } = start(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', scriptFile],
        {
          ...runner.env,
          ...withSecrets(env, runner.secrets),
          ...withSecrets(step.env, runner.secrets),
          GITHUB_ACTIONS: 'true',
          CI: 'true',
          GITHUB_PATH: pathFile,
          PATH: [...added.toReversed(), runner.env['PATH'] ?? ''].join(delimiter),
        },
        { cwd: runner.cwd },
      )
      const { status, stdout, stderr } = await ended
      done.push({ name: step.name, status, output: stdout + stderr })
      if (status !== 0) break
    }
    return done
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Replaces secrets. Throws on any other expression. */
function withSecrets(env: Record<string, string>, secrets: Record<string, string>): Variables {
  const entries = Object.entries(env).map(([name, value]) => {
    const filled = value.replaceAll(
      /\$\{\{\s*secrets\.(\w+)\s*\}\}/g,
      (_, secret: string) => secrets[secret] ?? '',
    )
    if (filled.includes('${{')) throw new Error(`${name} contains an unsupported expression: ${value}`)
    return [name, filled] as const
  })
  return Object.fromEntries(entries)
}
