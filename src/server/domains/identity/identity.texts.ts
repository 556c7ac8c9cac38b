/** The sentences of errors about people, tokens, issuers and signing in. */
export const texts = {
  invalidToken: 'This token is invalid. Get a new one.',
  expiredToken: 'This token has expired. Get a new one.',
  revokedToken: 'This token has been revoked. Ask an administrator for a new one.',
  noToken: 'Authentication required: send a token in the header "Authorization: Bearer TOKEN".',
  noSuchToken: (jti: string) => `The token ${jti} does not exist or has already been revoked.`,
  noAccess: (kind: string, id: string) => `There is no active ${kind} with the id ${id}.`,
  tokenOf: (issuer: string) => `This token was issued by ${issuer}. Revoke it there.`,
  tokensOf: (subject: string, issuer: string) =>
    `Tokens for ${subject} are issued by ${issuer}. Get one there.`,
  keysUnavailable: (issuer: string) =>
    `This token can't be verified because the keys of the issuer ${issuer} are unavailable. Try again shortly.`,

  removedAccount: 'Your account has been removed from this registry. Contact an administrator.',
  noPerson: (id: number) => `There is no person with the id ${id}.`,
  noPersonNamed: (subject: string) =>
    `There is no person "${subject}". To see all people, run: skilldock people list`,
  removedPerson: (subject: string) =>
    `${subject} has been removed. To add the person again, run: skilldock people add ${subject}`,
  personExists: (subject: string) => `A person with the sign-in name "${subject}" already exists.`,
  lastAdministrator: (subject: string) =>
    `${subject} is the only administrator. Make someone else an administrator first.`,
  managedPerson: (subject: string, issuer: string) =>
    `The name and role of ${subject} are managed by ${issuer}. Change them there.`,
  noProvider: (name: string) => `The settings have no provider named "${name}".`,

  notSignedIn: 'You are not signed in to this desk. Open it with a new sign-in link.',
  tooManyCodes: (wait: number) => `Too many wrong codes. Try again in ${wait} s.`,
  /** For every kind of invalid code, so that it reveals nothing to an attacker. */
  invalidCode:
    'This link has been used, has expired, or belongs to another desk. Get a new one with: skilldock desk',
  noDemo: 'This installation has no demo data. Set up the registry yourself.',
  demoOverPeople:
    'The demo data can only be loaded into an empty registry, and this one already has people. Set up the registry ' +
    'yourself, or choose another data folder.',

  /** Signing in from a terminal. */
  login: {
    /** For every unknown code: logins are lost in a restart, so the reason can't be known. */
    unknown:
      'This code is not valid. A code expires after ten minutes, once its token has been collected, or when the registry ' +
      'restarts. Start again with: skill login',
    tooMany: (limit: string, wait: number) =>
      `Too many terminals are waiting for confirmation (limit: ${limit}). Confirm or deny one in the desk, or try ` +
      `again in ${wait} s. To sign in with an existing token, use: skill login --token-stdin`,
    tooOften: (seconds: number) => `This terminal is polling too often. Wait ${seconds} s between requests.`,
    tokensOf: (issuer: string) =>
      `Your tokens are issued by ${issuer}. Get one there and pass it to: skill login --token-stdin`,
    someone: 'Someone',
    refused: (who: string) =>
      `${who} has already denied this sign-in. Start again in the terminal with: skill login`,
    confirmed: (who: string) =>
      `${who} has already confirmed this sign-in. If that was a mistake, deny it and start again.`,
    issuing: (who: string) =>
      `${who} has confirmed this sign-in, and its token is being issued. Revoke the token under My releases.`,
    taken: (who: string) =>
      `${who} has confirmed this sign-in, and the terminal has its token. Revoke the token under My releases.`,
  },
} as const
