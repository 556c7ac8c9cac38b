import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createDemoProject, findDemoProject, runDemoProject } from '../../agents/demo/demo-project.ts'
import { demoAgents, demoSupervisors } from '../../agents/demo/roster.ts'
import { Refusal } from '../../data-folder/refusal.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { readModule } from './fill-registry.ts'
import type { Program } from '../program.ts'

/** `skilldock demo --agents DIR`: creates a demo agent project and, with `live`, keeps its agents working. */
export async function demoAgentProject(
  directory: string,
  live: boolean,
  program: Program,
): Promise<ExitCode> {
  const folder = resolve(directory)
  const found = findDemoProject(folder)
  if (found === 'other') {
    throw new Refusal(
      `${folder} already contains an agent project (data/nexus.db) that skilldock demo did not create. Choose another folder.`,
    )
  }
  if (found === 'demo' && !live) {
    throw new Refusal(
      `${folder} already contains a demo agent project (data/nexus.db). Add --live to continue it, or choose another folder.`,
    )
  }
  if (found === 'none') {
    await writeModules(folder, program.skillsFolder)
    createDemoProject(folder, new Date())
  }
  process.stdout.write(describe(folder, live, found === 'none'))
  if (live) await liveUntilStopped(folder)
  return exitCodes.done
}

/** Writes the agents' modules: those of releases in the demo registry, and some that match none of them. */
async function writeModules(folder: string, skillsFolder: string): Promise<void> {
  await mkdir(join(folder, 'modules'), { recursive: true }).catch((error: Error) => {
    throw new Refusal(
      `Could not create an agent project in ${folder}: ${error.message}. Choose another folder.`,
    )
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
  const stop = runDemoProject(folder)
  return new Promise((done) => {
    const end = (): void => {
      stop()
      done()
    }
    process.once('SIGINT', end)
    process.once('SIGTERM', end)
  })
}

function describe(folder: string, live: boolean, isNew: boolean): string {
  const what = `${demoAgents.length} agents and ${demoSupervisors.length} supervisors in ${folder}.`
  const started = isNew ? `Created ${what}` : `Continuing with the ${what}`
  const next = `  SKILLDOCK_WORKSPACE=${folder} skilldock serve    shows them in the dashboard`
  return live
    ? `${started}\nPress Ctrl+C to stop them.\n\nIn another terminal\n${next}\n`
    : `${started}\n\nNext\n  skilldock demo --agents ${folder} --live    keeps them working\n${next}\n`
}
