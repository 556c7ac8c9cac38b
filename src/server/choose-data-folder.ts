import { accessSync, constants, mkdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { configurationFolder, mayChooseDataFolder } from './config.ts'
import type { Environment } from './config.ts'
import { Refusal } from './refusal.ts'
import { writeAtomically } from './running-file.ts'

/**
 * Notes in `location.json` that the data is in this folder from the next start on; makes it where it is not there.
 * What lies in the folder of now stays there. Throws a Refusal.
 */
export function chooseDataFolder(path: string, environment?: Environment): void {
  if (!mayChooseDataFolder(environment)) {
    throw new Refusal(
      'SKILLDOCK_DATA names the data folder. Take it out of the environment to choose another one.',
    )
  }
  if (!isAbsolute(path)) throw new Refusal('The data folder must be a full path. Choose it again.')
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new Refusal(`The folder ${path} cannot be used (${codeOf(error)}). Choose another one.`)
  }
  const folder = configurationFolder(environment)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeAtomically(join(folder, 'location.json'), { dataFolder: path })
  } catch (error) {
    throw new Refusal(`The choice could not be kept in ${folder} (${codeOf(error)}). Nothing has changed.`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
