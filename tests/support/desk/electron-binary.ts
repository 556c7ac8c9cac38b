import { join } from 'node:path'
import { findElectronBinary } from '../../../src/server/commands/electron-binary.ts'

/** Electron's program for the desktop tests, or null; looking for it never fetches it. */
export const requireElectron = (): string | null =>
  findElectronBinary(
    join(import.meta.dirname, '../../..'),
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? null,
  )
