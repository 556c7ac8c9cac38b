/** The sentences of errors about parts of the server that are unavailable or damaged. */
export const texts = {
  stopping: 'This server is stopping. Try again in a few seconds.',
  storage: 'The storage is unavailable at the moment; nothing was changed. Try again in a few seconds.',
  database: 'The database is unavailable at the moment; nothing was changed. Try again in a few seconds.',
  lockLost:
    'This server has lost its lock on the data folder (server.lock was removed or replaced), and another server may be ' +
    'using the folder. Nothing was changed. Restart this server.',
  damaged: (what: string) =>
    `The stored data of ${what} is damaged on this server and can't be served. Contact the registry's administrator.`,
} as const
