import { loginTokenDays } from '../../../shared/contracts/logins.ts'

const linkNoLongerValid = 'This link is no longer valid'
const fixed = ['Set by ', ". It can't be changed here."] as const

/** Every user-visible text of the pages before the desk: setup, sign-in and the confirmation of a terminal sign-in. */
export const texts = {
  signIn: {
    title: 'Sign in',
    pending: {
      title: 'Signing in',
      lead: 'Starting a session in this browser.',
      loading: 'the session',
    },
    failed: {
      title: 'Not signed in',
      lead: 'The link is still valid.',
      failure: "Couldn't sign in",
    },
    usedLink: {
      title: linkNoLongerValid,
      lead: 'Sign-in links work once and expire after five minutes. This one was used, has expired or is incomplete.',
      command: 'To get a new link, run this command on the computer where Skilldock runs:',
      remote: 'Ask an administrator for a new link. They create it in People.',
      continueAs: (name: string) => `Continue as ${name}`,
    },
  },

  ways: {
    passkey: 'Sign in with a passkey',
    provider: (name: string) => `Sign in with ${name}`,
    failed: "Couldn't sign in",
    dismissed:
      'No passkey was used: the dialog of the browser was closed or took too long. Try again, or sign in with a link.',
  },

  provider: {
    title: 'Sign in',
    lead: 'Checking the answer of the identity provider.',
    loading: 'the session',
    notSignedIn: 'Not signed in',
    again: 'Choose how to sign in',
  },

  signedOut: {
    pageTitle: 'Signed out',
    title: 'You are signed out',
    lead: 'Open the desk with a sign-in link. Links work once and expire after five minutes.',
    command: 'To get a link, run this command on the computer where Skilldock runs:',
    people: 'An administrator can also create one for you in People.',
    remote: 'Ask an administrator for a link. They create it in People.',
    choose: 'Sign in to open the desk.',
    otherwise:
      'Or open the desk with a sign-in link from an administrator. Links work once and expire after five minutes.',
    waiting: {
      title: 'A terminal is waiting for your confirmation',
      /** Before and after the code. */
      text: ['Sign in with this browser to continue with code ', '.'],
    },
  },

  noAdministrator: {
    pageTitle: 'Set up',
    title: 'This registry has no administrator yet',
    lead: 'The first administrator is created with a link, which proves access to this computer.',
    command: 'To get the link, run this command on the computer where Skilldock runs:',
  },

  setupLink: {
    continue: 'Continue setup',
    used: {
      title: linkNoLongerValid,
      lead: 'Links work once and expire after five minutes. What you entered is kept in this window.',
      command: 'To get a new link, run this command on the computer where Skilldock runs:',
    },
  },

  firstRun: {
    pageTitle: 'Set up',
    title: 'Set up your registry',
    lead: 'Your data stays on this computer. You can change the network settings and the agent project later.',
    start: 'Start Skilldock',
    startAction: 'start',
    hint: 'Takes a second or two. No account or network needed.',
    failed: "Couldn't set up the registry",

    name: {
      label: 'Your name',
      hint: (subject: string | null) =>
        `Shown with your decisions. You become the first administrator${subject === null ? '' : `, with the sign-in name ${subject}`}.`,
      tooLong: (length: number, limit: number) => `The name is too long: ${length} of ${limit} characters.`,
    },
    subject: {
      label: 'Sign-in name',
      hint: "Used by commands and tokens. It can't be changed later.",
    },

    folder: {
      label: 'Data folder',
      choose: 'Choose…',
      chooseLabel: 'Choose data folder…',
      moving: 'Skilldock is restarting with this folder. What you entered is kept.',
      usable: (free: string | null) => `New, writable${free === null ? '' : `, ${free} free`}.`,
      backup: 'This one folder contains everything that a backup needs.',
      existing:
        'This folder already contains a registry. Skilldock will use its people, releases and settings, and you will sign in as one of its administrators.',
      open: 'Open this registry',
      keep: (folder: string) => `Keep ${folder}`,
    },

    reach: {
      legend: 'Who can reach the registry',
      fixed,
      thisComputer: {
        title: 'Only this computer',
        text: 'Nobody else can publish or download. Best for trying it out.',
      },
      localNetwork: {
        title: 'The local network, with a certificate',
        text: (address: string) =>
          `Colleagues use ${address}. Requires a certificate, so that tokens are always encrypted.`,
        certificate: 'Certificate (PEM)',
        key: 'Private key (PEM)',
        address: 'Address for colleagues',
      },
      proxy: {
        title: 'Behind a proxy',
        text: 'Your proxy terminates TLS and forwards requests. Others use its address, and Skilldock trusts the headers it adds.',
        address: 'Public address',
        proxy: 'Proxy address',
      },
      missing: {
        certificate: 'Enter a certificate and its key.',
        proxy: 'Enter the address of the proxy.',
        address: 'Enter the address that others use to reach the registry.',
      },
    },

    port: {
      label: 'Registry port',
      hint: (deskPort: string) => `The desk and the dashboard use port ${deskPort}.`,
      invalid: 'Enter a number from 1 to 65535.',
    },
    project: {
      label: 'Agent project (optional)',
      hint: 'Read-only: Skilldock never writes to it.',
      none: 'None',
      choose: 'Choose…',
      chooseLabel: 'Choose agent project…',
    },
    fixed: (variable: string) => `${fixed[0]}${variable}${fixed[1]}`,

    expectations: {
      title: 'What Skilldock sets up',
      folder: {
        title: 'A data folder',
        text: 'For the database, the packages, and a signing key that only your user account can read.',
      },
      services: {
        title: 'Two services',
        text: (port: string | null) =>
          `The registry${port === null ? '' : ` on port ${port}`}, which others can reach if you allow it, and the desk with the dashboard, which only this computer can reach.`,
      },
      tray: {
        title: 'A tray icon',
        text: 'Services keep running when you close the window. Quit stops them; requests in progress get 6 seconds to finish.',
      },
      queue: {
        title: 'An empty review queue',
        text: 'The first screen shows the command that publishes a skill from a terminal.',
      },
    },

    alternatives: {
      restore: 'Moving from another computer?',
      restoreCommand: 'Stop Skilldock and restore a backup into an empty data folder:',
      restoreBackup: 'Restore a backup…',
      restoring: (progress: string) => `Restoring the backup: ${progress}.`,
      restoreFailed: (reason: string) => `Nothing was restored. ${reason}`,
      demo: 'Just looking?',
      loadDemo: 'Load demo data',
      loadingDemo: 'Loading demo data. This takes a few seconds.',
      demoFailed: (reason: string) => `Couldn't load the demo data. ${reason}`,
    },
  },

  /** The confirmation of `skill login`. */
  confirm: {
    title: 'Confirm a terminal sign-in',
    openDesk: 'Open the desk',

    enterCode: {
      incomplete: 'The code in this link is incomplete. Enter the code shown in your terminal.',
      /** Before and after the command. */
      lead: ['Run ', ', then enter the code shown in your terminal.'],
      label: 'Code from your terminal',
      invalid: 'Enter a code of eight letters, such as BCDF-GHJK.',
      submit: 'Continue',
    },
    unknown: {
      title: 'Unknown code',
      lead: 'Codes expire after ten minutes, or when Skilldock restarts.',
      command: 'To get a new code, run this command in your terminal:',
    },
    lookup: {
      lead: 'Looking up the code.',
      loading: 'the code',
      failed: "Couldn't look up the code",
    },

    waiting: {
      title: 'Allow a terminal to publish as you?',
      lead: (name: string) => `Anyone who uses it can then submit releases as ${name}.`,
    },
    confirmed: {
      title: 'Confirmed. You can go back to the terminal.',
      byOther: (name: string) => `${name} confirmed this sign-in.`,
      lead: 'The terminal receives its token within a few seconds.',
      undo: 'Cancel confirmation',
      undoFailed: "Couldn't cancel the confirmation",
    },
    taken: {
      title: 'The terminal is signed in. You can go back to it.',
      lead: (name: string) => `It publishes as ${name}.`,
      leadOther: (name: string) => `The terminal publishes as ${name}.`,
      /** Before and after the link to My releases. */
      token: [
        `Its token is valid for ${loginTokenDays} days. You can revoke it at any time under `,
        'My releases',
        '.',
      ],
    },
    refused: {
      title: 'Denied. The terminal gets no access.',
      lead: 'Its code is no longer valid.',
      hint: "If you didn't start this sign-in, someone may have tried to publish as you. Report the details below to an administrator.",
    },
    someone: 'Someone',

    form: {
      code: 'Your terminal must show exactly this code:',
      checkbox: ['I started this sign-in, and my terminal shows ', '.'],
      checkboxHint: 'Compare the codes and check the box before you confirm.',
      confirm: 'Confirm',
      deny: 'Deny',
      failed: "Couldn't send your decision",
      externalIssuer: [
        "You can't confirm this sign-in because your tokens are issued by ",
        '. Get a token there and pass it to this command:',
      ],
    },
    warning: {
      link: 'Did someone send you this link or code?',
      linkText: 'If so, deny the request: their terminal would publish as you.',
      otherComputer: 'The request comes from another computer',
      otherComputerText: (address: string) =>
        `Confirm only if you are using the terminal at ${address} yourself.`,
      unknown: 'The request comes from an unknown computer',
      unknownText: 'The request came through a proxy. Confirm only if you are using that terminal yourself.',
      also: 'If someone sent you this link or code, deny the request: their terminal would publish as you.',
    },
    facts: {
      client: 'Calls itself',
      address: 'Address',
      unknownAddress: 'unknown',
      places: {
        here: 'the computer where Skilldock runs',
        elsewhere: 'another computer',
        unknown: 'forwarded by a proxy; the terminal can be anywhere',
      },
      started: 'Requested',
      expires: (time: string) => `; the code expires at ${time}`,
    },
    access: {
      title: 'What the terminal gets',
      token: {
        title: `A token for ${loginTokenDays} days`,
        text: (date: string) => `It expires on ${date}. You can revoke it at any time under My releases.`,
      },
      publish: {
        title: (name: string) => `It can publish as ${name}`,
        text: 'It can submit releases and read your own, with their status, review notes and findings.',
      },
      nothingElse: {
        title: 'It can do nothing else',
        text: "It can't review releases, change people or settings, or open this desk, whatever your role is.",
      },
    },
  },
} as const
