import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../files/durable-files.ts'
import { folderProblem } from '../../shared/data-folder-problem.ts'
import { checkDataFolder } from './check-data-folder.ts'
import { configurationFolder, mayChooseDataFolder } from '../settings/config.ts'
import type { Environment } from '../settings/config.ts'
import { Refusal } from './refusal.ts'

/**
 * Saves the data folder for the next start in `location.json` and creates it if needed. A folder that contains anything
 * but a registry is refused. The data in the current folder stays there. Throws a Refusal.
 */
export async function chooseDataFolder(path: string, environment?: Environment): Promise<void> {
  if (!mayChooseDataFolder(environment)) {
    throw new Refusal(
      'SKILLDOCK_DATA sets the data folder. Remove it from the environment to choose another one.',
    )
  }
  const problem = folderProblem(await checkDataFolder(path, null))
  if (problem !== null) throw new Refusal(problem)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Refusal(`The folder ${path} cannot be used (${codeOf(error)}). Choose another one.`)
  }
  const folder = configurationFolder(environment)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(join(folder, 'location.json'), `${JSON.stringify({ dataFolder: path })}\n`)
  } catch (error) {
    throw new Refusal(`The choice could not be saved in ${folder} (${codeOf(error)}). Nothing has changed.`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
