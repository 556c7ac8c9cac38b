/** The sentences about where packages and images are kept. */
export const storageTexts = {
  elsewhere: (where: string, wanted: string | null) =>
    `The packages and images are in ${where}, but SKILLDOCK_STORAGE is ${wanted ?? 'not set'}. Set it to where they ` +
    `are, or move them with "skilldock storage migrate ${wanted ?? 'local'}".`,
  otherRegistry: (url: string) =>
    `${url} belongs to another registry. Choose another prefix, such as ${url}/second.`,
  inUse: (folder: string) => `A server is using ${folder}. Stop it first; nothing was changed.`,
  alreadyThere: (where: string) => `The packages and images are already in ${where}.`,
  progress: (done: number, total: number) => `files ${done} of ${total}`,
  damaged: (count: number, first: string) =>
    `${count} ${count === 1 ? 'file is' : 'files are'} damaged or missing, so the storage was not changed: ${first}. ` +
    'Files that were copied are not copied again. "skilldock verify" lists all problems.',
} as const
