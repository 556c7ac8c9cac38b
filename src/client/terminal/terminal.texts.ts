/** Every text of `skill --help` outside the commands, and of prompts and progress. */
export const texts = {
  help: {
    about: 'Find, install, run and publish WebAssembly skills with a Skilldock registry.',
    /** What skill is, in its manual page. */
    manual: 'find, install, run and publish WebAssembly skills with a Skilldock registry',
    usage: 'Usage',
    usageLine: 'skill COMMAND [ARGUMENTS] [--registry URL] [--json]',
    groups: {
      use: 'Use skills',
      installed: 'Look after installed skills',
      create: 'Create and publish a skill',
      signIn: 'Sign in',
      setUp: 'Set up your shell',
    },
    options: {
      title: 'Global options',
      registry: 'the registry to use',
      json: 'print one JSON document, even for errors',
      help: 'show the help of the command',
      version: 'show the version of skill',
    },
    environment: {
      title: 'Environment',
      rows: [
        ['SKILL_REGISTRY', 'the registry to use without --registry'],
        ['SKILL_MIRROR', 'a mirror of the registries in lock files, to use instead of them'],
        ['SKILL_TOKEN', 'the token to use instead of a saved one, as in CI'],
        ['SKILL_ID_TOKEN', 'the identity token of a CI job, with which skill publish needs no other token'],
        ['SKILL_TIMEOUT', 'seconds to wait for a registry that sends nothing (default: 30)'],
        ['NO_COLOR', 'disable colors'],
        ['FORCE_COLOR', 'use colors even without a terminal (0: never); overrides NO_COLOR'],
      ],
    },
    exitCodes: 'Exit codes',
  },

  progress: (done: string, total: string) => `${done} of ${total}`,
  noAnswer: { sentence: 'No answer was given.' },
  duration: (option: string) => ({
    sentence: `${option} must be a duration such as 90s, 30m or 2h, at most a week.`,
  }),
} as const
