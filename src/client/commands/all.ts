import type { Command } from '../command.ts'
import { checkCommand } from './check.ts'
import { infoCommand } from './info.ts'
import { initCommand } from './init.ts'
import { installCommand } from './install.ts'
import { loginCommand } from './login.ts'
import { logoutCommand } from './logout.ts'
import { mineCommand } from './mine.ts'
import { publishCommand } from './publish.ts'
import { runCommand } from './run.ts'
import { searchCommand } from './search.ts'
import { statusCommand } from './status.ts'

/** Every command of `skill`, in the order of their names. */
export const allCommands: readonly Command[] = [
  checkCommand,
  infoCommand,
  initCommand,
  installCommand,
  loginCommand,
  logoutCommand,
  mineCommand,
  publishCommand,
  runCommand,
  searchCommand,
  statusCommand,
]
