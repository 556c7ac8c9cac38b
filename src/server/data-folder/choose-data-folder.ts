import { join } from 'node:path'
import { makeFolder, replaceFile } from '../../files/durable-files.ts'
import { folderProblem } from '../../shared/data-folder-problem.ts'
import { codeOf } from '../../shared/errors.ts'
import { checkDataFolder } from './check-data-folder.ts'
import { configurationFolder, mayChooseDataFolder } from '../settings/config.ts'
import type { Environment } from '../settings/config.ts'
import { Refusal } from './refusal.ts'
import { texts } from './data-folder.texts.ts'

/**
 * Saves the data folder for the next start in `location.json` and creates it if needed. A folder that contains anything
 * but a registry is refused. The data in the current folder stays there. Throws a Refusal.
 */
export async function chooseDataFolder(path: string, environment?: Environment): Promise<void> {
  if (!mayChooseDataFolder(environment)) throw new Refusal(texts.inEnvironment)
  const problem = folderProblem(await checkDataFolder(path, null))
  if (problem !== null) throw new Refusal(problem)
  try {
    makeFolder(path)
  } catch (error) {
    throw new Refusal(texts.notCreated(path, codeOf(error) ?? String(error)))
  }
  const folder = configurationFolder(environment)
  try {
    makeFolder(folder)
    replaceFile(join(folder, 'location.json'), `${JSON.stringify({ dataFolder: path })}\n`)
  } catch (error) {
    throw new Refusal(texts.notSaved(folder, codeOf(error) ?? String(error)))
  }
}
