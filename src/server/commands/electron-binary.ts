import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of the package `electron`, which may be installed without its binary; null where it is not. */
export function findElectronPackage(appFolder: string): string | null {
  try {
    const { resolve } = createRequire(join(appFolder, 'package.json'))
    return dirname(resolve('electron/package.json'))
  } catch {
    return null
  }
}

/**
 * Electron's program, or null where it is not there. The package's own entry would begin to fetch it when
 * asked. `folder` is what ELECTRON_OVERRIDE_DIST_PATH names, which the package takes in place of its own.
 */
export function findElectronBinary(appFolder: string, folder: string | null): string | null {
  const electron = findElectronPackage(appFolder)
  if (electron === null) return null
  const name = readPathFile(electron)
  const place = folder ?? (name === null ? null : join(electron, 'dist'))
  if (place === null) return null
  const binary = join(place, name ?? 'electron')
  return existsSync(binary) ? binary : null
}

/** Written by the package's install script when the binary is complete. */
function readPathFile(electron: string): string | null {
  try {
    return readFileSync(join(electron, 'path.txt'), 'utf8')
  } catch {
    return null
  }
}
