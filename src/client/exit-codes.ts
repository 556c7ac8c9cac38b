/** How a command ended, for scripts. `skill --help` and docs/API.md tell the same. */
export const exitCodes = {
  done: 0,
  /** What was asked for was looked at, and the answer is no; of `run` the module's own codes. */
  no: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Not signed in, or not allowed (401, 403). */
  notAllowed: 3,
  /** There is no such release (404). */
  notFound: 4,
  /** The registry refuses it (any other 4xx). */
  refused: 5,
  /** The registry cannot be reached, does not answer in time, or is down (5xx). */
  unreachable: 6,
  /** What came is not what was promised: a digest, a size, the shape of an answer, a redirect. */
  mismatch: 7,
  /** The time limit of `run`, and that of `status --wait`. `status --wait`: nobody has decided in that time. */
  timeLimit: 124,
  /** `run`: another limit of the sandbox, or not run at all. */
  notRun: 125,
  /** Ctrl+C. */
  interrupted: 130,
  /** `run`: the module trapped. */
  trapped: 134,
} as const

export const exitCodeHelp: readonly (readonly [number, string])[] = [
  [exitCodes.done, 'Done.'],
  [exitCodes.no, 'Looked at, and the answer is no: an error found, an example that differs, drift.'],
  [exitCodes.usage, 'The command line is wrong.'],
  [exitCodes.notAllowed, 'Not signed in, or not allowed.'],
  [exitCodes.notFound, 'There is no such release.'],
  [exitCodes.refused, 'The registry refuses it.'],
  [exitCodes.unreachable, 'The registry cannot be reached, is too slow, or is down.'],
  [exitCodes.mismatch, 'What came is not what was promised, such as another digest.'],
  [
    exitCodes.timeLimit,
    'The time limit was reached, of a run or of status --wait. status --wait: it is still pending.',
  ],
  [exitCodes.notRun, 'run: another limit was reached, or the module cannot be run here.'],
  [exitCodes.interrupted, 'Ended with Ctrl+C.'],
  [exitCodes.trapped, 'run: the module trapped.'],
]
