import { bridge } from './bridge.ts'

/** Opens the app's folder dialog; null if it is canceled, and in a browser, which reveals no paths. */
export async function chooseFolder(purpose: 'data' | 'agents'): Promise<string | null> {
  return (await bridge?.files.chooseFolder({ purpose })) ?? null
}

/** Restarts the services with another data folder; throws if the app refuses it. */
export async function moveToFolder(folder: string): Promise<void> {
  await bridge?.setup.useDataFolder(folder)
}
