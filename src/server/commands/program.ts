import type { HelperKind } from '../../shared/services-messages.ts'
import type { HelperProcess } from '../processes/helper-process.ts'

/** The paths that commands need. */
export interface Program {
  /** The folder of package.json, which Electron is started with. */
  appFolder: string
  /** Starts a helper process, which reads untrusted files and may write to paths that start with `mayWrite`. */
  startHelper(kind: HelperKind, mayWrite?: string | null): HelperProcess<object>
  /** Script of the worker that parses Markdown. */
  markdownEntry: string
  /** Script of the processes that answer public reads. Undefined inside the app, which cannot fork. */
  workerEntry?: string
  /** Holds a folder for each example skill, with its manifest and its built module. */
  skillsFolder: string
  /** Holds the built desk; undefined when run from source. */
  deskFolder?: string
  /** Holds the built client and its install script; undefined when run from source. */
  clientFolder?: string
}
