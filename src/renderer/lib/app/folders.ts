import { bridge } from './bridge.ts'

/** A folder that the person picks in the app; null where none is picked, and in a browser, which gives no paths. */
export async function chooseFolder(purpose: 'data' | 'agents'): Promise<string | null> {
  return (await bridge?.files.chooseFolder({ purpose })) ?? null
}

/** Has the app start the services on another data folder; throws why it cannot be. */
export async function moveToFolder(folder: string): Promise<void> {
  await bridge?.setup.useDataFolder(folder)
}
