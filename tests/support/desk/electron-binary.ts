import { join } from 'node:path'
import { findElectronBinary } from '../../../src/server/commands/electron-binary.ts'

/** The path of Electron's executable for the desktop tests, or null. Never downloads it. */
export const requireElectron = (): string | null =>
  findElectronBinary(
    join(import.meta.dirname, '../../..'),
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? null,
  )
