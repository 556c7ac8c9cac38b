/** Truncates a very long path. */
const shown = (path: string): string => (path.length <= 200 ? path : `${path.slice(0, 200)}…`)

const asText = (name: string): string => `send it as text, with curl: -F '${name}=<FILE'`
const asFile = (name: string): string => `send it as a file, with curl: -F ${name}=@FILE`

/** The sentences of errors about requests and listeners, before a domain is involved. */
export const texts = {
  failed:
    'The server failed unexpectedly and may not have completed the request. Its log has details under the X-Request-Id.',

  request: {
    invalid: 'This is not a valid HTTP request.',
    headersTooLarge: 'The request headers are too large. Shorten them.',
    incomplete: 'The request ended before it was complete. Send it again.',
    transferEncoding:
      'The request has an unsupported Transfer-Encoding. Only "chunked" in HTTP/1.1 is supported.',
    otherHost: 'The request line and the Host header name different hosts. Send the same host in both.',
    noHost: 'The request has no Host header. Add one.',
    repeatedHeader: (name: string) => `The request has more than one ${name} header. Send it once.`,
    invalidUrl: 'The URL contains an invalid percent-encoding. Correct it.',
    nothingAt: (path: string) => `There is nothing at ${shown(path)}.`,
    method: (method: string, path: string, allowed: string) =>
      `${method} is not allowed at ${shown(path)}. Use ${allowed}.`,
    noDeskFile: 'There is no such desk file.',
    deskNotBuilt: 'The desk is not built. Build it with: npm run build\n',
  },

  invalid: (part: 'path' | 'query' | 'body', problems: string) => `The ${part} is invalid: ${problems}.`,

  access: {
    only: (roles: readonly string[]) =>
      `Only ${roles.map((role) => `${role}s`).join(' and ')} can do this. Ask an administrator of this registry.`,
    scope: (scope: string | null) =>
      `This token is limited to the scope "${scope}". Use a token with full access.`,
    localOnly:
      'This address only accepts requests from this computer. Open it as http://127.0.0.1 with its port.',
    remoteDesk: (origin: string) => `The desk is not served at this address. Open it at ${origin}/desk/`,
    localDesk: "This part of the desk is only available on the registry's own computer. Open the desk there.",
    deskOnly: 'Only the desk itself may send this request. Open the desk from its own link.',
    otherWebsite: 'Other websites may not access this address. Open it directly.',
    otherOrigin:
      'Other websites may not send requests to this registry. If this page belongs to the registry, its administrator ' +
      'must set SKILLDOCK_PUBLIC_URL to the address in your browser.',
  },

  body: {
    incomplete: 'The request body is incomplete. Send it again.',
    slow: (bytesPerSecond: number) =>
      `The request body stalled or was slower than ${bytesPerSecond} bytes per second. Send it again over a faster connection.`,
    tooLarge: (maxBytes: number) => `The body is larger than ${maxBytes} bytes. Shorten it.`,
    notJson: 'Send JSON with the header "Content-Type: application/json".',
    invalidJson: 'The body is not valid JSON in UTF-8. Correct it and send it again.',
  },

  /** The parts of a body as a program sends them. */
  parts: {
    notMultipart: 'Send the parts as multipart/form-data, with curl: -F PART=...',
    unknown: (name: string) => `Unknown part ${name}. Remove it.`,
    tooMany: (names: readonly string[]) =>
      `The body has too many parts. Send only ${names.join(' and ')}, each once.`,
    notText: (name: string) => `The part ${name} was sent as a file; ${asText(name)}`,
    notFile: (name: string) => `The part ${name} was sent as text; ${asFile(name)}`,
    repeated: (name: string) => `The part ${name} was sent twice. Send it once.`,
    missingText: (name: string) => `The part ${name} is missing; ${asText(name)}`,
    missingFile: (name: string) => `The part ${name} is missing; ${asFile(name)}`,
    tooLarge: (name: string, maxBytes: number) =>
      `The part ${name} is larger than ${maxBytes} bytes. Make it smaller.`,
    size: (maxBytes: number) => `is larger than ${maxBytes} bytes`,
  },

  /** The fields of a form on a page. */
  form: {
    notMultipart: 'Send the form as multipart/form-data.',
    otherFields: 'The form does not match the page. Reload the page and submit it again.',
    unknown: (name: string) => `Unknown field ${name}. Remove it.`,
    repeated: (name: string) => `The field ${name} was sent twice. Send it once.`,
    tooLarge: (maxBytes: number) =>
      `The form is larger than ${maxBytes} bytes in total. Shorten it, or choose smaller files.`,
    fieldTooLarge: (name: string, maxBytes: number) =>
      `The field ${name} is larger than ${maxBytes} bytes. Shorten it.`,
  },

  tooManyRequests: (wait: number) => `Too many requests from your network. Try again in ${wait} s.`,

  busy: {
    server: (limit: number, what: string, wait: number) =>
      `This server is busy with ${limit} ${what}. Try again in ${wait} s.`,
    client: (own: number, what: string, wait: number) =>
      `You already have ${own} ${what}, the limit for one client. Try again in ${wait} s.`,
  },

  listening: {
    service: (name: string) => (name === 'dashboard' ? 'the local services' : `the ${name}`),
    otherProgram: 'another program',
    program: (command: string, id: number) => `${command} (process ${id})`,
    portInUse: (address: string, who: string, service: string, variable: string) =>
      `${address} is already in use by ${who}, so ${service} cannot start. Stop that program, or choose another port (${variable}).`,
    notAllowed: (address: string, service: string, variable: string) =>
      `This user is not allowed to listen on ${address}, so ${service} cannot start. Choose a port above 1023 (${variable}).`,
    otherHost: (host: string, service: string) =>
      `${host} is not an address of this computer, so ${service} cannot start. Choose another address.`,
    onlyRestart:
      'The desk runs on this service, so it can only be restarted here. To stop it, stop Skilldock.',
  },

  certificate: {
    /** At the start of the server. */
    unusable: (explanation: string, cert: string, key: string) =>
      `The certificate cannot be used (${explanation}). ` +
      `Check SKILLDOCK_TLS_CERT (${cert}) and SKILLDOCK_TLS_KEY (${key}).`,
    /** In the desk. */
    change: (explanation: string) =>
      `The certificate cannot be used (${explanation}). Change it in the settings.`,
    subject: { cert: 'its file', key: 'its key' },
    noCertificate: 'contains no PEM certificate',
    noKey: 'contains no PEM private key',
    locked: 'is encrypted; use a key without a passphrase',
    otherKey: 'does not match the certificate',
    rejected: (reason: string) => `cannot be used: ${reason}`,
    unreadable: (code: string) => `cannot be read (${code})`,
    missing: 'does not exist',
    forbidden: 'is not readable by this user',
    folder: 'is a folder',
  },
} as const
