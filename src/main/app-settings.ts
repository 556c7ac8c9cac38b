import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../files/durable-files.ts'
import { preferencesSchema, themes } from '../shared/ipc-schema.ts'

const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
  isMaximized: z.boolean(),
})
export type WindowPlace = z.infer<typeof placeSchema>

const { keepInTray, notifySubmissions, notifyCrashes, notifyBudgets } = preferencesSchema.shape

// A value that somebody has spoiled is the usual one again, and the others stay.
const appSettingsSchema = z.object({
  place: placeSchema.nullable().catch(null),
  theme: z.enum(themes).catch('system'),
  keepInTray: keepInTray.catch(true),
  /** Whether the person has been told where the app is when its window is closed. */
  knowsTray: z.boolean().catch(false),
  notifySubmissions: notifySubmissions.catch(true),
  notifyCrashes: notifyCrashes.catch(true),
  notifyBudgets: notifyBudgets.catch(true),
})
export type AppSettingsValues = z.infer<typeof appSettingsSchema>

export interface AppSettings {
  get(): AppSettingsValues
  /** Written at once, as a whole or not at all. */
  change(values: Partial<AppSettingsValues>): void
}

/** What this app keeps for itself between two starts, in one JSON file. */
export function openAppSettings(file: string): AppSettings {
  let values = appSettingsSchema.parse(readObject(file))
  return {
    get: () => values,
    change(changes) {
      values = { ...values, ...changes }
      try {
        mkdirSync(dirname(file), { recursive: true })
        replaceFile(file, `${JSON.stringify(values, null, 2)}\n`)
      } catch (error) {
        // On a full disk the app goes on, and only forgets.
        process.stderr.write(`${file} cannot be written: ${String(error)}\n`)
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
