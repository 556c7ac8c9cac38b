import { chmodSync, cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../wait.ts'
import { skilldock, temporaryFolder } from './command-line.ts'

/** A copy of a data folder with demo data, which is created once per run. `cleanUp` removes it. */
export async function copyOfDemo(): Promise<string> {
  const folder = join(temporaryFolder(), 'demo')
  cpSync(await demoOfRun(), folder, { recursive: true })
  // As created by the server.
  chmodSync(folder, 0o700)
  return folder
}

async function demoOfRun(): Promise<string> {
  const run = process.env['TEST_RUN_FOLDER']
  if (run === undefined) throw new Error('tests/support/build.ts has not prepared this run')
  const made = join(run, 'demo')
  if (existsSync(made)) return made
  try {
    mkdirSync(join(run, 'demo-lock'))
  } catch {
    return until('another test has created the demo data', () => existsSync(made) && made, 60_000)
  }
  const unfinished = join(run, 'demo-unfinished')
  const { status, stderr } = await skilldock(unfinished, ['demo'])
  if (status !== 0) throw new Error(`demo failed: ${stderr}`)
  renameSync(unfinished, made)
  return made
}
