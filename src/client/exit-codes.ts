/** Exit codes for scripts, also listed in `skill --help` and docs/API.md. */
export const exitCodes = {
  done: 0,
  /** The command failed. `run` passes on the module's own code. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** Not signed in, or not allowed (401, 403). */
  notAllowed: 3,
  /** Release not found (404). */
  notFound: 4,
  /** The registry rejected the request (any other 4xx). */
  refused: 5,
  /** The registry is unreachable, does not answer in time, or is down (5xx). */
  unreachable: 6,
  /** Unexpected data from the registry: a wrong digest or size, an invalid response, or a redirect. */
  mismatch: 7,
  /** `audit`: the registry's log contradicts the last audit, or itself. */
  untrustedLog: 8,
  /** `run`: time limit reached. `status --wait`: still pending when the time was up. */
  timeLimit: 124,
  /** `run`: another sandbox limit was reached, or the module could not be run. */
  notRun: 125,
  /** Ctrl+C. */
  interrupted: 130,
  /** `run`: the module trapped. */
  trapped: 134,
  /** SIGTERM: 128 and the number of the signal, as shells report it. */
  terminated: 143,
} as const

export const exitCodeHelp: readonly (readonly [number, string])[] = [
  [exitCodes.done, 'success'],
  [
    exitCodes.failed,
    'failed, such as a check with errors, a failing example, a lock file that would change, or a revoked or outdated skill',
  ],
  [exitCodes.usage, 'the command line is invalid'],
  [exitCodes.notAllowed, 'not signed in, or not allowed'],
  [exitCodes.notFound, 'release not found'],
  [exitCodes.refused, 'the registry rejected the request'],
  [exitCodes.unreachable, 'the registry is unreachable, too slow, or down'],
  [exitCodes.mismatch, 'unexpected data from the registry, such as a digest mismatch'],
  [
    exitCodes.untrustedLog,
    "audit: the registry's log was rewritten, or is not signed with the remembered key",
  ],
  [exitCodes.timeLimit, 'run: time limit reached. status --wait: still pending'],
  [exitCodes.notRun, 'run: another limit was reached, or the module could not be run'],
  [exitCodes.interrupted, 'interrupted with Ctrl+C'],
  [exitCodes.trapped, 'run: the module trapped'],
  [exitCodes.terminated, 'ended by SIGTERM'],
]
