/** The sentences of errors about parts of the server that are stopping, unavailable or damaged. */
export const unavailableTexts = {
  stopping: 'This server is stopping. Try again in a few seconds.',
  storage: 'The storage is unavailable at the moment; nothing was changed. Try again in a few seconds.',
  database: 'The database is unavailable at the moment; nothing was changed. Try again in a few seconds.',
  changing:
    'The database changed too much while it was being copied. Nothing was copied. Try again when the server is less busy.',
  lockLost:
    'This server has lost its lock on the data folder (server.lock was removed or replaced), and another server may be ' +
    'using the folder. Nothing was changed. Restart this server.',
  damaged: (what: string) =>
    `The stored data of ${what} is damaged on this server and can't be served. Contact the registry's administrator.`,

  modules: 'Modules cannot be checked at the moment; nothing was changed. Try again in a few seconds.',
  modulesStopping: 'The server is stopping. Submit the release again in a moment.',
  moduleUnread: 'The module could not be read to check it. Send it again.',
  images: 'Images cannot be uploaded at the moment; nothing was changed. Try again in a few seconds.',
  imagesStopping: 'The server is stopping. Upload the image again in a moment.',
  helpers: (purposes: string) =>
    `The processes that check ${purposes} cannot be started. See the log for the reason, and restart the server.`,

  markdown: (seconds: number) => `The text cannot be rendered at the moment. Try again in ${seconds} s.`,
  markdownBusy: (waiting: number, seconds: number) =>
    `This server is busy with ${waiting} texts. Try again in ${seconds} s.`,
} as const
