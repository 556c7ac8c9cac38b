/** Sets the path of a file system error, which Node omits or sets to a temporary or parent path. */
export function aboutFile(error: unknown, file: string): unknown {
  return error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
}
