import type { HelperKind } from '../../shared/services-messages.ts'

/** The paths that commands need. */
export interface Program {
  /** The folder of package.json, which Electron is started with. */
  appFolder: string
  /** Scripts of the helper processes, which read untrusted files. */
  helpers: Record<HelperKind, string>
  /** Script of the worker that parses Markdown. */
  markdownEntry: string
  /** Script of the processes that answer public reads. */
  workerEntry: string
  /** Holds a folder for each example skill, with its manifest and its built module. */
  skillsFolder: string
  /** Holds the built desk; undefined when run from source. */
  deskFolder?: string
  /** Holds the built client and its install script; undefined when run from source. */
  clientFolder?: string
}
