import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of the package `electron`, which may be installed without its binary; null if it isn't installed. */
export function findElectronPackage(appFolder: string): string | null {
  try {
    const { resolve } = createRequire(join(appFolder, 'package.json'))
    return dirname(resolve('electron/package.json'))
  } catch {
    return null
  }
}

/**
 * Path of the Electron executable, or null if it is missing. Importing the package itself would start a download.
 * `folder` is the value of ELECTRON_OVERRIDE_DIST_PATH, which the package uses instead of its own folder.
 */
export function findElectronBinary(appFolder: string, folder: string | null): string | null {
  const electron = findElectronPackage(appFolder)
  if (electron === null) return null
  const name = readPathFile(electron)
  const binaryFolder = folder ?? (name === null ? null : join(electron, 'dist'))
  if (binaryFolder === null) return null
  const binary = join(binaryFolder, name ?? 'electron')
  return existsSync(binary) ? binary : null
}

/** The package's install script writes this file once the binary is complete. */
function readPathFile(electron: string): string | null {
  try {
    return readFileSync(join(electron, 'path.txt'), 'utf8')
  } catch {
    return null
  }
}
