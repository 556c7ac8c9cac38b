import type { HelperKind } from '../../shared/services-messages.ts'

/** What a command has to know of the program that it is part of. */
export interface Program {
  /** The folder of package.json, on which Electron is started. */
  appFolder: string
  /** Paths of the scripts of the processes that read untrusted files. */
  helpers: Record<HelperKind, string>
  /** The script of the thread that reads Markdown. */
  markdownEntry: string
  /** Holds a folder for each example skill, with its manifest and its built module. */
  skillsFolder: string
  /** Holds the built desk; the sources have none. */
  deskFolder?: string
  /** Holds the built client and its installer; the sources have none. */
  clientFolder?: string
}
