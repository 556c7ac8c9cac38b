/** What a command has to know of the program that it is part of. */
export interface Program {
  /** The folder of package.json, on which Electron is started. */
  appFolder: string
  /** Path of the script that the module validator's process runs. */
  validatorEntry: string
  /** Holds a folder for each example skill, with its manifest and its built module. */
  skillsFolder: string
  /** Holds the built desk; the sources have none. */
  deskFolder?: string
}
