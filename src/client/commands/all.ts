import type { Command } from '../command.ts'

/** Loads a command of `skill`, in the order of their names. A call loads only the one that it names. */
export const commandLoaders: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['check', async () => (await import('./check.ts')).checkCommand],
  ['info', async () => (await import('./info.ts')).infoCommand],
  ['init', async () => (await import('./init.ts')).initCommand],
  ['install', async () => (await import('./install.ts')).installCommand],
  ['login', async () => (await import('./login.ts')).loginCommand],
  ['logout', async () => (await import('./logout.ts')).logoutCommand],
  ['mine', async () => (await import('./mine.ts')).mineCommand],
  ['publish', async () => (await import('./publish.ts')).publishCommand],
  ['run', async () => (await import('./run.ts')).runCommand],
  ['search', async () => (await import('./search.ts')).searchCommand],
  ['status', async () => (await import('./status.ts')).statusCommand],
])

/** Every command of `skill`, in the order of their names. */
export const loadAllCommands = (): Promise<readonly Command[]> =>
  Promise.all([...commandLoaders.values()].map((load) => load()))
