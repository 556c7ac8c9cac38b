import type { Command } from '../command.ts'
import { infoCommand } from './info.ts'
import { initCommand } from './init.ts'
import { installCommand } from './install.ts'
import { loginCommand } from './login.ts'
import { logoutCommand } from './logout.ts'
import { mineCommand } from './mine.ts'
import { runCommand } from './run.ts'
import { searchCommand } from './search.ts'
import { statusCommand } from './status.ts'

/** Every command of `skill`, in the order of their names. */
export const allCommands: readonly Command[] = [
  infoCommand,
  initCommand,
  installCommand,
  loginCommand,
  logoutCommand,
  mineCommand,
  runCommand,
  searchCommand,
  statusCommand,
]
