/** The sentences about the database in a bucket. */
export const replicationTexts = {
  noProgram: (program: string, version: string) =>
    `${program} cannot be started. Install Litestream ${version}, or set SKILLDOCK_LITESTREAM to its path.`,
  otherVersion: (program: string, found: string, version: string) =>
    `${program} is Litestream ${found}, but ${version} is needed. Install that version, or set SKILLDOCK_LITESTREAM to its path.`,
  notRestored: (reason: string) => `Litestream could not restore the database: ${reason}`,
  noReplica: (url: string) => `There is no database in ${url}. Nothing was changed.`,
  otherWriter: (url: string, epoch: number) =>
    `Another machine writes the registry in ${url} (epoch ${epoch}). Start that one, or take over with ` +
    '"skilldock promote" in an empty data folder.',
  replaced:
    'Another machine has been promoted and writes this registry now. Send the request there; stop this server.',
  unknown:
    'The bucket does not answer, so this server cannot know whether another machine has been promoted. Try again later.',
  notFollowed:
    'The bucket does not answer, so this server cannot know whether what it has is still true. Try again later.',
  followNeedsBucket: 'Set SKILLDOCK_STORAGE to the bucket of the registry that --follow reads.',
  restoredTooLittle: 'The database that was restored from the bucket lacks what was acknowledged.',
  writerAway: 'The server that writes this registry does not answer. Reading still works; try again later.',
  unconfirmed:
    'The change is stored on the machine, but the bucket has not confirmed it, so it may still be lost. Check whether ' +
    'it is there before you send it again.',
  notConfirmed: (reason: string) =>
    `The bucket does not confirm what is written: ${reason}. The log has what Litestream reports.`,
  raised: (reason: string) =>
    `${reason} The former machine has been replaced and acknowledges nothing; repeat the command until it succeeds.`,
  raced: (epoch: number) =>
    `Another machine has just been promoted (epoch ${epoch}). Nothing was changed here.`,
  neverReplicated: (url: string) => `No machine has replicated a database to ${url}. Nothing was changed.`,
} as const
