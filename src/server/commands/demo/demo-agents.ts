import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findDemoProject, keepDemoAlive, makeDemoProject } from '../../agents/demo/demo-project.ts'
import { demoAgents, demoSupervisors } from '../../agents/demo/roster.ts'
import { Refusal } from '../../data-folder/refusal.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { readModule } from './fill-registry.ts'
import type { Program } from '../program.ts'

/** `skilldock demo --agents DIR`: writes an agent project to look at, and lets it live with `live`. */
export async function demoAgentProject(
  directory: string,
  live: boolean,
  program: Program,
): Promise<ExitCode> {
  const folder = resolve(directory)
  const found = findDemoProject(folder)
  if (found === 'other' || (found === 'demo' && !live)) {
    throw new Refusal(
      `${folder} holds an agent project already (data/nexus.db), and skilldock demo never writes to ${found === 'other' ? 'one that it has not made' : 'it again without --live'}. Name another folder.`,
    )
  }
  if (found === 'none') {
    await writeModules(folder, program.skillsFolder)
    makeDemoProject(folder, new Date())
  }
  process.stdout.write(describe(folder, live))
  if (live) await liveUntilStopped(folder)
  return exitCodes.done
}

/** The agents' modules: of releases that the demo's registry has, or with a mark that none of them has. */
async function writeModules(folder: string, skillsFolder: string): Promise<void> {
  await mkdir(join(folder, 'modules'), { recursive: true }).catch((error: Error) => {
    throw new Refusal(`No agent project can be made in ${folder}: ${error.message}. Name another folder.`)
  })
  await Promise.all(
    demoAgents.map(async ({ name, release }) => {
      const { skill, version } = release ?? { skill: 'word-count', version: `of ${name}` }
      const path = join(folder, 'modules', `${name}.wasm`)
      if (!existsSync(path)) await writeFile(path, await readModule(skillsFolder, skill, version))
    }),
  )
}

function liveUntilStopped(folder: string): Promise<void> {
  const stop = keepDemoAlive(folder)
  return new Promise((done) => {
    const end = (): void => {
      stop()
      done()
    }
    process.once('SIGINT', end)
    process.once('SIGTERM', end)
  })
}

function describe(folder: string, live: boolean): string {
  const made = `${demoAgents.length} agents and ${demoSupervisors.length} supervisors in ${folder}.`
  const next = `  SKILLDOCK_WORKSPACE=${folder} skilldock serve    shows them`
  return live
    ? `${made}\nThey work until Ctrl+C.\n\nIn another terminal\n${next}\n`
    : `${made}\n\nNext\n  skilldock demo --agents ${folder} --live    lets them work\n${next}\n`
}
