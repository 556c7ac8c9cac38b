import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { makeFolder, replaceFile } from '../files/durable-files.ts'
import { preferencesSchema, themes } from '../shared/ipc-schema.ts'
import { texts } from './app.texts.ts'

const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
  isMaximized: z.boolean(),
})
export type WindowPlace = z.infer<typeof placeSchema>

const { keepInTray, notifySubmissions, notifyCrashes, notifyBudgets } = preferencesSchema.shape

// An invalid value falls back to its default without affecting the others.
const appSettingsSchema = z.object({
  place: placeSchema.nullable().catch(null),
  theme: z.enum(themes).catch('system'),
  keepInTray: keepInTray.catch(true),
  /** Whether the person has seen the explanation of the tray when closing the window. */
  knowsTray: z.boolean().catch(false),
  notifySubmissions: notifySubmissions.catch(true),
  notifyCrashes: notifyCrashes.catch(true),
  notifyBudgets: notifyBudgets.catch(true),
})
type AppSettingsValues = z.infer<typeof appSettingsSchema>

export interface AppSettings {
  get(): AppSettingsValues
  /** Saves the changes immediately and atomically. */
  change(values: Partial<AppSettingsValues>): void
}

/** The app's own settings, stored in one JSON file. */
export function openAppSettings(file: string): AppSettings {
  let values = appSettingsSchema.parse(readObject(file))
  return {
    get: () => values,
    change(changes) {
      values = { ...values, ...changes }
      try {
        makeFolder(dirname(file))
        replaceFile(file, `${JSON.stringify(values, null, 2)}\n`)
      } catch (error) {
        // On a full disk the app continues, and the changes are lost at the next start.
        process.stderr.write(`${texts.log.settings(file, String(error))}\n`)
      }
    },
  }
}

function readObject(file: string): object {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
