/** Each exit code with its meaning in `skill --help`. */
const table = {
  done: [0, 'success'],
  /** `run` passes on the module's own code. */
  failed: [
    1,
    'failed, such as a check with errors, a failing example, a lock file that would change, or a revoked or outdated skill',
  ],
  usage: [2, 'the command line is invalid'],
  /** 401, 403. */
  notAllowed: [3, 'not signed in, or not allowed'],
  /** 404. */
  notFound: [4, 'release not found'],
  /** Any other 4xx. */
  refused: [5, 'the registry rejected the request'],
  /** No answer in time, or 5xx. */
  unreachable: [6, 'the registry is unreachable, too slow, or down'],
  /** Also an invalid response, or a redirect. */
  mismatch: [7, 'unexpected data from the registry, such as a digest mismatch'],
  untrustedLog: [8, "audit: the registry's log was rewritten, or is not signed with the remembered key"],
  timeLimit: [124, 'run: time limit reached. status --wait: still pending'],
  notRun: [125, 'run: another limit was reached, or the module could not be run'],
  interrupted: [130, 'interrupted with Ctrl+C'],
  trapped: [134, 'run: the module trapped'],
  /** 128 and the number of the signal, as shells report it. */
  terminated: [143, 'ended by SIGTERM'],
} as const

type ExitCodes = { readonly [Name in keyof typeof table]: (typeof table)[Name][0] }

/** Scripts rely on them; also listed in docs/API.md. */
export const exitCodes = Object.fromEntries(
  Object.entries(table).map(([name, [code]]) => [name, code]),
) as ExitCodes

export const exitCodeHelp: readonly (readonly [number, string])[] = Object.values(table)
