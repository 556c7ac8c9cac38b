/** The sentences of errors about people, tokens, issuers and signing in. */
export const texts = {
  invalidToken: 'This token is invalid. Get a new one.',
  expiredToken: 'This token has expired. Get a new one.',
  revokedToken: 'This token has been revoked. Get a new one.',
  noToken: 'Authentication required: send a token in the header "Authorization: Bearer TOKEN".',
  noSuchToken: (jti: string) => `The token ${jti} does not exist or has already been revoked.`,
  noAccess: (kind: string, id: string) => `There is no active ${kind} with the id ${id}.`,
  tokenOf: (issuer: string) => `This token was issued by ${issuer}. Revoke it there.`,
  tokensOf: (subject: string, issuer: string) =>
    `Tokens for ${subject} are issued by ${issuer}. Get one there.`,
  keysUnavailable: (issuer: string) =>
    `This token can't be verified because the keys of the identity provider ${issuer} are unavailable. Try again shortly.`,

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
  /** Which people of a provider have a role. */
  holders: {
    subjects: (subjects: readonly string[]) => `subjects ${subjects.join(', ')}`,
    emails: (emails: readonly string[]) => `email addresses ${emails.join(', ')}`,
    claim: (path: readonly string[], value: string | boolean) => `claim ${path.join('.')} = ${String(value)}`,
    none: 'none',
  },
  noProvider: (name: string) => `The settings have no provider named "${name}".`,

  /** What a provider did wrong, as predicates. */
  provider: {
    slow: (seconds: number) => `did not respond within ${seconds} s`,
    unreachable: (reason: string) => `could not be reached (${reason})`,
    insecure: 'cannot be used: its address does not start with https://',
    private: (host: string, address: string) => `cannot be used: ${host} is ${address}, a private address`,
    status: (status: number) => `responded with status ${status}`,
    redirect: (target: string) => `redirected to ${target === '' ? 'an unspecified address' : target}`,
    tooLarge: (maxBytes: number) => `responded with more than ${maxBytes} bytes`,
    notJson: (mediaType: string | undefined) => `did not respond with JSON (${mediaType ?? 'no media type'})`,
    notKeys: 'returned JSON that is not a key set',
    otherIssuer: 'returned a configuration without keys or of another issuer',
    tooManyKeys: (keys: number, limit: number) => `returned ${keys} keys, more than the limit of ${limit}`,
  },

  /** "Test provider": what was found and, after a failure, what to do next. `setting` is a field of the issuer. */
  test: {
    checks: {
      reachable: 'Provider reachable',
      issuer: 'Issuer matches',
      keySet: 'Key set address matches',
      clocks: 'Clocks agree',
      keysReadable: 'Keys readable',
      keysMatch: 'Keys match the algorithms',
    },
    configurationAt: (address: string) => `Its configuration is at ${address}.`,
    noConfiguration: 'Not checked: the provider configuration could not be loaded. Fix that first.',
    same: (value: string) => `Both are ${value}.`,
    missing: (setting: string) =>
      `It is missing from the provider's configuration. Check that "${setting}" is the address of an OpenID Connect provider.`,
    differs: (setting: string, found: string, configured: string) =>
      `The provider has ${found}, but the settings have ${configured}. Set "${setting}" to exactly the provider's value.`,
    noDate: 'Not checked: the response has no Date header.',
    skew: (seconds: number, allowed: number) => {
      const skew = `The provider's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this computer's`
      return Math.abs(seconds) <= allowed
        ? `${skew}; up to ${allowed} s is fine.`
        : `${skew}, so valid tokens will be rejected. Synchronize this computer's clock with NTP.`
    },
    keysAt: (count: number, address: string) => `${count} ${count === 1 ? 'key' : 'keys'} at ${address}.`,
    usable: (keys: readonly string[]) => `Usable: ${keys.join('; ')}.`,
    key: (algorithms: readonly string[], id: string | undefined) =>
      `${algorithms.join(' or ')} (key ${id ?? 'without id'})`,
    noneUsable: (algorithms: readonly string[]) =>
      `None can be used with ${algorithms.join(', ')}. Configure the provider to sign with one of these, or change "algorithms".`,
    noKeys: 'Not checked: the keys could not be loaded. Fix that first.',
    failed: (address: string, problem: string, advice: string) =>
      `Request to ${address} failed: the provider ${problem}. ${advice}`,
    advice: {
      unreachable: (setting: string) => `Check "${setting}" and this computer's network and firewall.`,
      slow: () => "Try again. If it stays slow, contact the provider's operator.",
      redirect: (setting: string) => `Redirects are not followed: set "${setting}" to the final address.`,
      status: (setting: string) => `Check "${setting}", or contact the provider's operator.`,
      'too large': (setting: string) =>
        `Check "${setting}": the response is too large for this kind of document.`,
      'not JSON': (setting: string) =>
        `Check "${setting}": the address seems to be that of a web page, not of the provider's document.`,
      'not keys': (setting: string) =>
        `Check "${setting}": it must be the address of the JWKS document ("jwks_uri" in the provider's configuration).`,
    },
  },

  notSignedIn: 'You are not signed in to this desk. Open it with a new sign-in link.',
  tooManyCodes: (wait: number) => `Too many wrong codes. Try again in ${wait} s.`,
  /** For every kind of invalid code, so that it reveals nothing to an attacker. */
  invalidCode:
    'This link has been used, has expired, or belongs to another desk. Get a new one from an administrator, or with: skilldock desk',
  passkey: {
    notHere:
      'This desk has no passkeys, because they need a public address with a domain. Sign in with a link.',
    refused:
      'This passkey was refused: it was removed, belongs to another registry, or the attempt took too long. Try again, ' +
      'or ask an administrator for a sign-in link.',
    ofIssuer: (issuer: string) => `You sign in through ${issuer}, so you need no passkey here.`,
  },
  providerSignIn: {
    unknown: (name: string) => `This desk has no sign-in through "${name}". Choose another way to sign in.`,
    unavailable: (name: string) =>
      `${name} cannot be reached. Try again shortly or sign in another way. An administrator can test the provider in People.`,
    denied: (name: string) => `The sign-in was canceled at ${name}. To try again, start at the desk.`,
    notStarted:
      'This sign-in was started in another browser or tab, was already used, or took longer than ten minutes. Start again at the desk.',
    failed: (name: string) =>
      `${name} did not confirm this sign-in. Start again at the desk; if that does not help, contact an administrator.`,
  },
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
      `${who} has confirmed this sign-in, and its token is being issued. If that was a mistake, revoke the token under My releases.`,
    taken: (who: string) =>
      `${who} has confirmed this sign-in, and the terminal has its token. If that was a mistake, revoke the token under My releases.`,
  },
} as const
