/** The sentences about settings: in the desk, where each issue is shown beside its setting, and at the start of the server. */
export const texts = {
  invalid: (problems: string) => `These settings are invalid: ${problems}.`,
  unreadableFile: 'settings.json is not a readable JSON object. Correct it, or delete it and save again.',
  unwritableFile:
    'settings.json could not be written, so nothing has changed. Make its folder writable, and try again.',

  issues: {
    inEnvironment: (variable: string) => `is set by ${variable} in the environment; change it there`,
    local: "can only be changed in the desk on the registry's own computer",
    otherHost: 'is not an address of this computer',
    localPort: 'is the port of the local services; choose another one',
    needsHttps: 'must start with https://, because the registry has a certificate',
    relativePath: 'must be an absolute path',
    noFolder: 'is not a folder',
    unreadable: (code: string) => `cannot be read (${code})`,
    incompleteCertificate: 'is missing: a certificate and its key belong together; set both or neither',
    unencrypted:
      'would let tokens cross the network unencrypted; set a certificate and its key, or add the proxy that ' +
      'has the certificate to the trusted proxies',
    noPublicUrl: 'is missing: clients need an address to reach the registry',
    noHttpsAddress: 'must be https:// and a host without a path, because the desk is served over the network',
    expired: (day: string) => `expired on ${day}, so clients refuse it; renew it`,
  },

  start: {
    invalid: (lines: string) => `Invalid settings:\n${lines}`,
    inFile: (path: string, problem: string) => `settings.json: ${path} ${problem}`,
    inEnvironment: (variable: string, value: string, problem: string) => `${variable} (${value}) ${problem}`,
    unreadable: (path: string, reason: string) =>
      `${path} cannot be read: ${reason}. Make it readable, or delete it.`,
    noObject: (path: string) => `${path} is not a JSON object. Correct it or delete the file.`,
    relativeDataFolder: (path: string) =>
      `${path}: dataFolder must be an absolute path. Correct it or delete the file.`,
    noReadyFolder: (path: string) =>
      `SKILLDOCK_READY_FILE (${path}) is in a folder that does not exist. Create it first.`,
    incompleteCertificate: 'SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY belong together. Set both or neither.',
    cannotListen: (host: string, reasons: string) => `The registry cannot listen on ${host}:\n${reasons}`,
    unencrypted:
      'tokens would cross the network unencrypted: set SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY, or set ' +
      'SKILLDOCK_TRUST_PROXY to the address of the proxy that has the certificate',
    noHttpsUrl: 'it has a certificate: set SKILLDOCK_PUBLIC_URL to an address that starts with https://',
    noPublicUrl: 'clients need an address to reach it: set SKILLDOCK_PUBLIC_URL',
    noBucket: (value: string) =>
      `SKILLDOCK_STORAGE (${value}) must be s3://BUCKET or s3://BUCKET/PREFIX, with letters, digits, ., - and _.`,
    noEndpoint: (value: string) =>
      `SKILLDOCK_S3_ENDPOINT (${value}) must be an http or https address without a path, such as https://s3.example.com.`,
    noCredentials: (name: string) => `SKILLDOCK_STORAGE needs the credentials of the bucket: set ${name}.`,
    noDurability: (value: string) => `SKILLDOCK_DURABILITY (${value}) must be local or replicated.`,
    noReplicaBucket:
      'SKILLDOCK_DURABILITY=replicated needs a bucket for the database: set SKILLDOCK_STORAGE.',
    noRemoteDesk: (reasons: string) => `The desk cannot be served over the network:\n${reasons}`,
    noHttpsAddress:
      'browsers need its address: set SKILLDOCK_PUBLIC_URL to https:// and a host without a path, such as https://skills.example.com',
  },
} as const
