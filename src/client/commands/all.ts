import type { Command } from '../command.ts'
import { infoCommand } from './info.ts'
import { installCommand } from './install.ts'
import { searchCommand } from './search.ts'

/** Every command of `skill`, in the order of their names. */
export const allCommands: readonly Command[] = [infoCommand, installCommand, searchCommand]
