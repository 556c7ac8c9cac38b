/** Every text of the command line itself, and of errors that any command can have. */
export const texts = {
  commandLine: {
    missingArgument: 'An argument is missing.',
    tooManyArguments: 'Too many arguments.',
    wrongUsage: (sentence: string, name: string, usage: string) => ({
      sentence,
      next: `Usage: ${`skill ${name} ${usage}`.trim()}\nFor details, run: skill ${name} --help`,
    }),
    unknownCommand: (name: string) => ({
      sentence: `Unknown command "${name}".`,
      next: 'For a list of commands, run: skill --help',
    }),
    offset: { sentence: '--offset must be a whole number from 0 to 100000.' },
  },

  environment: {
    noFolder: {
      sentence: 'The current folder no longer exists.',
      next: 'Change to another folder and try again.',
    },
    noRegistry: {
      sentence: 'No registry is configured.',
      next: 'Pass --registry URL or set SKILL_REGISTRY.',
    },
    timeout: (value: string) => ({
      sentence: `SKILL_TIMEOUT is "${value}" but must be 0.1 to 3600 seconds.`,
      next: 'Unset it to use the default of 30 seconds.',
    }),
    /** The subject of the error if it is not a token. */
    token: 'The value of SKILL_TOKEN',
    signIn: (login: string) => `Sign in with: ${login}`,
    changeToken: (login: string) =>
      `SKILL_TOKEN is set. Change its value, or unset it and sign in with: ${login}`,
    waiting: (reason: string, seconds: number) => `${reason} Waiting for ${seconds} s.`,
  },

  interrupted: { sentence: 'Interrupted.' },

  standardOutput: 'Standard output',
} as const
