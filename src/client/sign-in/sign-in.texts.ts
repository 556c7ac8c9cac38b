const createToken = 'Create a token under My releases in the desk and copy all of it, on one line.'

/** Every text about signing in: the code, the token, and the file in which it is saved. */
export const texts = {
  code: {
    confirm: (host: string) => `Confirm this code in the desk of ${host}:`,
    elsewhere:
      "This page is only reachable on the registry's computer. To sign in with a token, run: skill login --paste",
    expires: 'The code expires in ten minutes. Press Ctrl+C to cancel.',
    opening: 'Opening the page in your browser.',
    waiting: 'Waiting for the confirmation…',
    retrying: (problem: string) => `${problem} Retrying.`,
    notSupported: (host: string) => ({
      sentence: `${host} does not support signing in with a code.`,
      next: 'Sign in with a token: skill login --paste',
    }),
    denied: {
      sentence: 'The sign-in was denied in the desk.',
      next: 'If that was a mistake, start again with: skill login',
    },
    over: (wasLost: boolean) => ({
      sentence: `The code is no longer valid: it was not confirmed in time, or the registry was restarted.${
        wasLost ? ' If you confirmed it, the token was lost. Revoke it in the desk, under My releases.' : ''
      }`,
      next: 'Start again with: skill login',
    }),
  },

  trusted: {
    help: 'An owner of the name adds trusted publishers in the desk (My releases, “Names and owners”).',
    variable: 'The value of SKILL_ID_TOKEN',
    exchanged: (name: string) => `Publishing ${name} as a job that it trusts.`,
    address: { sentence: 'ACTIONS_ID_TOKEN_REQUEST_URL is not a URL.' },
    noToken: (host: string) => `${host} answered without an identity token.`,
  },

  token: {
    input: 'The input',
    none: { sentence: 'No token was given.', next: createToken },
    invalid: (subject: string) => ({ sentence: `${subject} is not a token.`, next: createToken }),
    visible: {
      sentence: 'Standard input is a terminal, which would show the token.',
      next: 'Pipe the token from a file or a program, or paste it with: skill login --paste',
    },
    tooLong: { sentence: 'Standard input is too long to be a token.' },
    noTerminal: {
      sentence: 'There is no terminal to prompt on.',
      next: 'Pass the token on standard input with: skill login --token-stdin',
    },
  },

  credentials: {
    noHome: {
      sentence: 'There is no home folder to save a token in.',
      next: 'Set HOME, or pass the token in SKILL_TOKEN.',
    },
    exposed: (file: string) => ({
      sentence: `Other users of this computer can read ${file}.`,
      next: `Fix this with: chmod 600 '${file}'. If you do not trust them, revoke your tokens and sign in again.`,
    }),
    damaged: (file: string) => ({
      sentence: `${file} is damaged.`,
      next: 'Remove the file and sign in again with: skill login',
    }),
  },
} as const
