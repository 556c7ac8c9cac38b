/** What validation reports about a field, as predicates that follow its path, and about a manifest. */
export const texts = {
  invalid: 'is invalid',
  more: (count: number) => `(and ${count} more ${count === 1 ? 'problem' : 'problems'})`,
  missing: 'is missing',
  unknownField: 'is not a known field; remove it',
  repeatedField: 'appears twice; keep one',
  tooDeep: 'is nested too deeply',
  type: (type: string) => `must be ${article(type)}`,
  value: (value: string) => `must be ${value}`,
  oneOf: (values: readonly string[]) => `must be one of ${values.join(', ')}`,
  size: (origin: string, end: 'least' | 'most', limit: number | bigint) =>
    origin === 'string'
      ? `must have at ${end} ${limit} ${Number(limit) === 1 ? 'character' : 'characters'}`
      : origin === 'array'
        ? `must have at ${end} ${limit} ${Number(limit) === 1 ? 'item' : 'items'}`
        : `must be at ${end} ${limit}`,

  blank: 'must not be blank',
  surrogate: 'contains an unpaired surrogate; write the complete character',
  controlCharacters: 'must not contain control characters',
  hiddenCharacters: 'must contain only letters, digits, punctuation, symbols and spaces',
  wholeNumber: 'must be a whole number',
  positive: 'must be a positive whole number',
  offset: 'must be a whole number from 0 to 100000',
  port: 'must be a number from 1 to 65535',
  entryId: 'must be the id of an entry',
  repeatedFunction: 'must list each function only once',
  tooLarge: 'is too large',

  name: 'must start with a letter and consist of lowercase letters and digits, with single hyphens between words',
  slug: 'must be lowercase words of letters and digits, separated by single hyphens',
  version: 'must be three numbers without leading zeros, such as 1.0.0',
  successor: 'must be the name of a skill or NAME@VERSION',
  takenSlug: 'is already taken',
  noSlug: 'is not a slug',
  subject: 'must be 1 to 200 visible ASCII characters without spaces',
  userCode: 'must be a code such as BCDF-GHJK',

  passwordFile: 'must be an absolute path to a file with “password” in its name',
  mailCode: 'must be the 8 digits from the e-mail',
  webhookUrl: 'must not contain a user name, a password or a fragment',
  url: 'must be a URL starting with http:// or https://',
  providerUrl:
    'must be a URL starting with https:// (http:// only for this computer), without a user name or password',
  claimText: 'must be text without control characters',
  repository: 'must be OWNER/NAME, such as octo/csv-to-json',
  workflow: 'must be the name of a file in .github/workflows, such as release.yml',
  project: 'must be the path of a project with its groups, such as tools/csv-to-json',
  query: 'must not contain a query or a fragment',
  credentials: 'must not contain a user name or a password',
  logFile: 'must be an absolute path that ends with .log or .jsonl',
  contact: 'must start with https:, mailto: or tel:',
  network: 'must be an IP address or a network',
  email: 'must be an email address',
  claimPath: 'must be a dotted path such as public_metadata.role, or a list of names',
  claimValue: 'must be a string, true or false',
  audience: 'must be a string or a list of 1 to 20 strings',
  repeatedIssuer: (index: number, key: string) =>
    `is the same as issuers.${index}.${key}; each must be unique`,

  manifest: {
    invalid: (problems: string) => `The manifest is invalid: ${problems}.`,
    notJson: (reason: string) => `The manifest is not valid JSON: ${reason}.`,
    notUtf8: 'is not valid UTF-8; save it as UTF-8 (write an intended U+FFFD as \\ufffd)',
    tooLarge: (characters: number, bytes: number, maxCharacters: number, maxBytes: number) =>
      `The manifest has ${characters} characters and ${bytes} bytes, but at most ${maxCharacters} characters ` +
      `and ${maxBytes} bytes of UTF-8 are allowed. Shorten the readme.`,
  },
} as const

function article(type: string): string {
  const word = type === 'int' ? 'whole number' : type === 'record' ? 'object' : type
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`
}
