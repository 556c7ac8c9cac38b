import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createDemoProject, findDemoProject, runDemoProject } from '../../agents/demo/demo-project.ts'
import { demoAgents, demoSupervisors } from '../../agents/demo/roster.ts'
import { Refusal } from '../../data-folder/refusal.ts'
import { texts } from '../commands.texts.ts'
import type { Facts } from '../command.ts'
import { readModule } from './fill-registry.ts'
import type { Program } from '../program.ts'

const { agents } = texts.demo

/** `skilldock demo --agents DIR`: creates a demo agent project and, with `live`, keeps its agents working. */
export async function demoAgentProject(
  directory: string,
  live: boolean,
  program: Program,
  print: (line: string) => void,
): Promise<Facts> {
  const folder = resolve(directory)
  const found = findDemoProject(folder)
  if (found === 'other') throw new Refusal(agents.otherProject(folder))
  if (found === 'demo' && !live) throw new Refusal(agents.demoProject(folder))
  if (found === 'none') {
    await writeModules(folder, program.skillsFolder)
    createDemoProject(folder, new Date())
  }
  const data = {
    folder,
    agents: demoAgents.length,
    supervisors: demoSupervisors.length,
    isNew: found === 'none',
  }
  print(agents.started(data))
  print(live ? agents.live(folder) : agents.next(folder))
  if (live) await liveUntilStopped(folder)
  return { data }
}

/** Writes the agents' modules: those of releases in the demo registry, and some that match none of them. */
async function writeModules(folder: string, skillsFolder: string): Promise<void> {
  await mkdir(join(folder, 'modules'), { recursive: true }).catch((error: Error) => {
    throw new Refusal(agents.notCreated(folder, error.message))
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
