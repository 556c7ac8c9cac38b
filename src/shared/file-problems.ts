const denied = 'cannot be accessed: permission denied'

/** What is wrong with a file, by the code of the system's error. */
const problems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: denied,
  EPERM: denied,
  EROFS: 'is on a read-only disk',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: your disk quota is exceeded',
  EFBIG: 'cannot be written: the file is too large',
  ELOOP: 'is a symbolic link that points to itself',
  EISDIR: 'is a folder',
  ENOTDIR: 'has a parent that is not a folder',
  ENAMETOOLONG: 'has a name that is too long',
  ENXIO: 'cannot be read: it is neither a file nor a folder',
  EIO: 'cannot be read or written: the disk reports an error',
}

/** A sentence about the file of a system error; null for any other error. */
export function fileProblem(error: unknown): string | null {
  const { code = '', path = 'The file' } = error as { code?: string; path?: string }
  const problem = Object.hasOwn(problems, code) ? problems[code] : undefined
  return problem === undefined ? null : `${path} ${problem}.`
}
