/** An error of the file system that names the file as people know it; Node leaves it out, or names one on the way to it. */
export function aboutFile(error: unknown, file: string): unknown {
  return error instanceof Error && 'code' in error ? Object.assign(error, { path: file }) : error
}
