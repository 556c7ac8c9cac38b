/** The sentences about data folders that cannot be used, at the start of a command or of the server. */
export const texts = {
  inEnvironment: 'SKILLDOCK_DATA sets the data folder. Remove it from the environment to choose another one.',
  notCreated: (folder: string, code: string) =>
    `The folder ${folder} cannot be used (${code}). Choose another one.`,
  notSaved: (folder: string, code: string) =>
    `The choice could not be saved in ${folder} (${code}). Nothing has changed.`,

  cannotCreate: (folder: string, reason: string) =>
    `The data folder ${folder} cannot be created (${reason}). Set SKILLDOCK_DATA to another folder.`,
  notWritable: (folder: string, path: string, reason: string) =>
    `The data folder ${folder} cannot be used: ${path === folder ? 'it' : path} is not writable ` +
    `(${reason}). Make it writable, or set SKILLDOCK_DATA to another folder. ` +
    'Only "skilldock verify" and "skilldock backup" work on a read-only folder.',
  reasons: { readOnly: 'read-only file system', denied: 'permission denied' },
  beingPrepared: 'Another Skilldock command has been preparing the data folder for 20 s. Try again.',
  inUse: (folder: string, holder: { pid: number; startedAt: string; registry: string } | null) => {
    const { pid, startedAt, registry } = holder ?? {}
    const details = holder === null ? '' : ` (process ${pid}, started ${startedAt}, registry ${registry})`
    return `Another Skilldock${details} is already using the data folder ${folder}. Stop it first, or set SKILLDOCK_DATA to another folder.`
  },

  noData: (folder: string) =>
    `There is no Skilldock data in ${folder}. Set SKILLDOCK_DATA to the data folder.`,
  unfinishedRestore: (folder: string) =>
    `A restore into ${folder} was interrupted. Run it again: skilldock restore FILE. ` +
    'To start with an empty registry instead, delete everything in that folder.',
  lostDatabase: (folder: string) =>
    `The database of ${folder} is missing or empty, but its packages or images are still there. Nothing was ` +
    'changed. Restore a backup into another folder; without one, run: skilldock rebuild. To start with an empty ' +
    'registry instead, move "packages" and "pictures" away.',
  /** `purpose` is the subject of the sentence, such as a command. */
  inUseFor: (folder: string, purpose: string) =>
    `Another Skilldock is using ${folder}. Stop it first: ${purpose} needs exclusive access.`,
  ownRegistry: (folder: string) =>
    `${folder} has a registry of its own. Set SKILLDOCK_DATA to a folder for the copies that --follow keeps.`,
  notEmpty: (folder: string, found: string, purpose: string) =>
    `${folder} is not empty (${found}), and ${purpose} never changes existing ` +
    'data. Set SKILLDOCK_DATA to an empty or new folder.',
} as const
