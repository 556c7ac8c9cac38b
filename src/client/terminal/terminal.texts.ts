type Rows = readonly (readonly [head: string, text: string])[]

/** Every text of `skill --help` outside the commands, and of prompts and progress. */
export const texts = {
  help: {
    about: 'Find, install, run and publish WebAssembly skills with a Skilldock registry.',
    usage: 'Usage',
    usageLine: 'skill COMMAND [ARGUMENTS] [--registry URL] [--json]',
    groups: {
      use: 'Use skills',
      installed: 'Look after installed skills',
      create: 'Create and publish a skill',
      signIn: 'Sign in',
    },
    options: {
      title: 'Global options',
      rows: (registry: string | null): Rows => [
        ['--registry URL', `The registry to use${registry === null ? '' : ` (default: ${registry})`}`],
        ['--json', 'Print one JSON document to standard output, even for errors'],
        ['--help', 'Show help for a command: skill COMMAND --help'],
        ['--version', 'Show the version of skill'],
      ],
    },
    environment: {
      title: 'Environment',
      rows: [
        ['SKILL_REGISTRY', 'The registry to use without --registry'],
        ['SKILL_TOKEN', 'The token to use instead of a saved one, as in CI'],
        ['SKILL_TIMEOUT', 'Seconds to wait for a registry that sends nothing (default: 30)'],
        ['NO_COLOR', 'Disable colors'],
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
