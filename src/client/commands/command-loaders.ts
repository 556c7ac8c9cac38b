import type { Command } from '../command.ts'

/** Loaders for the commands, in alphabetical order. A command line loads only the command that it runs. */
export const commandLoaders: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['audit', async () => (await import('./audit.ts')).auditCommand],
  ['check', async () => (await import('./check.ts')).checkCommand],
  ['completion', async () => (await import('./completion.ts')).createCompletionCommand(loadAllCommands)],
  ['info', async () => (await import('./info.ts')).infoCommand],
  ['init', async () => (await import('./init.ts')).initCommand],
  ['install', async () => (await import('./install.ts')).installCommand],
  ['list', async () => (await import('./list.ts')).listCommand],
  ['login', async () => (await import('./login.ts')).loginCommand],
  ['logout', async () => (await import('./logout.ts')).logoutCommand],
  ['man', async () => (await import('./completion.ts')).createManCommand(loadAllCommands)],
  ['mcp', async () => (await import('./mcp.ts')).mcpCommand],
  ['mine', async () => (await import('./mine.ts')).mineCommand],
  ['outdated', async () => (await import('./outdated.ts')).outdatedCommand],
  ['owner', async () => (await import('./owner.ts')).ownerCommand],
  ['publish', async () => (await import('./publish.ts')).publishCommand],
  ['remove', async () => (await import('./remove.ts')).removeCommand],
  ['reply', async () => (await import('./reply.ts')).replyCommand],
  ['run', async () => (await import('./run.ts')).runCommand],
  ['search', async () => (await import('./search.ts')).searchCommand],
  ['status', async () => (await import('./status.ts')).statusCommand],
  ['update', async () => (await import('./update.ts')).updateCommand],
  ['verify', async () => (await import('./verify.ts')).verifyCommand],
  ['whoami', async () => (await import('./whoami.ts')).whoamiCommand],
])

/** All commands, in alphabetical order. */
export function loadAllCommands(): Promise<readonly Command[]> {
  return Promise.all([...commandLoaders.values()].map((load) => load()))
}
