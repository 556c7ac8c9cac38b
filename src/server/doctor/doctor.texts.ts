import { countOf } from '../../shared/text.ts'
import { inBytes } from '../backup/progress.ts'

/** What is wrong, and what to do, each as full sentences. */
export interface Problem {
  sentence: string
  next: string
}

const problem = (sentence: string, next: string): Problem => ({ sentence, next })

const setData = 'Set SKILLDOCK_DATA to the data folder. For a new registry, run: skilldock start'
const keepRunning = 'Keep the server running so that it makes one, or run: skilldock backup FILE'
const day = (date: Date): string => date.toISOString().slice(0, 10)

/** What `skilldock doctor` says. */
export const doctorTexts = {
  folder: {
    ok: 'writable',
    notWritable: (reason: string | null) =>
      problem(
        `It is not writable (${reason ?? 'unknown reason'}).`,
        'Check its permissions, and whether its disk is mounted read-only.',
      ),
    none: (reason: string | null) =>
      problem(`It does not exist or cannot be read (${reason ?? 'not found'}).`, setData),
    empty: problem('It is empty.', setData),
  },
  space: {
    ok: (free: number | null) => (free === null ? 'unknown' : `${inBytes(free)} free`),
    low: (free: number) =>
      problem(`Only ${inBytes(free)} free.`, 'Free up some space before uploads and backups fail.'),
    tooLittle: (free: number | null) => problem(`Only ${inBytes(free ?? 0)} free.`, 'Free up some space.'),
  },
  permissions: {
    ok: 'only for its owner',
    open: (folder: string) =>
      problem(
        'Others on this computer can open it and read the database, which contains names and e-mail addresses.',
        `Run: chmod 700 ${folder}`,
      ),
    openKey: (key: string, folder: string) =>
      problem(
        'Others on this computer can read signing-key.json, with which they could sign tokens for anyone.',
        `Run: chmod 600 ${key} && chmod 700 ${folder}`,
      ),
  },
  settings: {
    ok: 'valid',
    wrong: (reason: string) =>
      problem(reason, 'Fix the file settings.json or the environment variable. "skilldock help" lists them.'),
  },
  ports: {
    running: 'used by the server of this folder',
    ok: (ports: readonly number[]) =>
      ports.length === 0 ? 'any free port' : `${ports.join(' and ')} are free`,
    taken: (port: number, variable: string, holder: string | null, suggestion: number | null) =>
      problem(
        `Port ${port} is in use by ${holder ?? 'another program'}.`,
        `Stop that program, or choose another port: ${variable}=${suggestion ?? 'PORT'}`,
      ),
    forbidden: (port: number, variable: string, suggestion: number | null) =>
      problem(
        `This user may not listen on port ${port}.`,
        `Choose a port above 1023: ${variable}=${suggestion ?? 'PORT'}`,
      ),
    same: (port: number) =>
      problem(
        `The registry and the local services have the same port ${port}.`,
        'Give them different ports: SKILLDOCK_PORT and SKILLDOCK_DASHBOARD_PORT.',
      ),
  },
  certificate: {
    none: 'none set: no HTTPS without a proxy',
    ok: (end: Date) => `valid until ${day(end)}`,
    expired: (end: Date, file: string) =>
      problem(`It expired on ${day(end)}.`, `Renew it. The server rereads ${file} without a restart.`),
    soon: (end: Date, file: string) =>
      problem(
        `It expires on ${day(end)}.`,
        `Renew it in time. The server rereads ${file} without a restart.`,
      ),
    wrong: (reason: string) =>
      problem(reason, 'Set SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY to valid files.'),
  },
  signingKey: {
    ok: 'valid',
    wrong: (reason: string) => problem(`${reason}.`, 'Restore signing-key.json from a backup.'),
  },
  database: {
    ok: 'intact',
    damaged: (damage: string) =>
      problem(
        `Damaged: ${damage}.`,
        "Run: skilldock verify. What it can't repair must be restored from a backup, or without one: skilldock rebuild",
      ),
    unreadable: (reason: string) =>
      problem(
        `It cannot be read (${reason}).`,
        'Stop the server, and restore a backup into an empty folder: skilldock restore FILE. Without one, run: skilldock rebuild',
      ),
    unfinished: (reason: string) => problem(reason, 'Then run: skilldock doctor'),
    older: problem(
      'It was written by an older Skilldock.',
      'Start this version once to update it; it makes a backup first.',
    ),
    newer: problem('It was written by a newer Skilldock.', 'Use that version.'),
  },
  mirror: {
    none: 'not a mirror',
    ok: (of: string, updatedAt: string) => `of ${of}, updated at ${updatedAt}`,
    old: (of: string, updatedAt: string | null) =>
      problem(
        `This mirror of ${of} was last updated at ${updatedAt ?? 'no time'}.`,
        'Keep "skilldock mirror URL" running beside the server; its output says what it waits for.',
      ),
    problem: (of: string, updatedAt: string | null, reason: string) =>
      problem(
        `This mirror of ${of} is not complete; it was last updated at ${updatedAt ?? 'no time'}. ${reason}`,
        'Revoked releases are still withdrawn if that time is recent. To try again now, run: skilldock mirror URL --once',
      ),
  },
  replication: {
    none: 'the database is only in the data folder',
    ok: (epoch: number, at: string) => `this machine writes (epoch ${epoch}), last snapshot at ${at}`,
    notYet: (url: string) =>
      problem(`There is no database in ${url} yet.`, 'Start the server with the same environment.'),
    noSnapshot: (url: string) =>
      problem(
        `There is no snapshot of the database in ${url}.`,
        'Start the server; its log says what is wrong.',
      ),
    replaced: (epoch: number) =>
      problem(
        `Another machine writes this registry (epoch ${epoch}).`,
        'Use that one. To take over with this one, run in an empty data folder: skilldock promote',
      ),
    silent: (reason: string) =>
      problem(`The bucket cannot be read: ${reason}`, 'Check the bucket, the network and the credentials.'),
  },
  backups: {
    tested: (at: string) => `last tested at ${at}`,
    none: (every: string) =>
      problem(
        'The server has not made a tested backup yet.',
        every === 'never' ? 'Unless you make backups yourself: skilldock backup FILE' : keepRunning,
      ),
    old: (at: string, every: string) =>
      problem(`The last tested backup is from ${at}, but the setting is ${every}.`, keepRunning),
    failed: (reason: string) =>
      problem(`The last backup failed. ${reason}`, 'The server tries again within an hour.'),
  },
  wal: {
    ok: (bytes: number) => inBytes(bytes),
    large: (bytes: number) =>
      problem(
        `${inBytes(bytes)}: another program keeps a read transaction open.`,
        'Close programs that have skilldock.db open; the server then truncates the log within 30 s.',
      ),
  },
  fragmentation: {
    ok: (share: number) => `${percent(share)} unused`,
    high: (share: number) =>
      problem(
        `${percent(share)} of the database is unused.`,
        'Stop the server and run: skilldock doctor --repair',
      ),
  },
  clock: {
    ok: 'later than every stored time',
    back: (newest: string, now: string) =>
      problem(
        `The newest record is from ${newest}, but the clock says ${now}.`,
        'Set the clock; until then, new records are dated before older ones.',
      ),
  },
  files: {
    ok: (files: number) => `all ${files} present`,
    missing: (missing: number, first: string) =>
      problem(
        `${countOf(missing, 'stored file is', 'stored files are')} missing, such as ${first}.`,
        'Restore from a backup, and list all of them: skilldock verify',
      ),
  },
  server: {
    none: 'not running',
    ok: (address: string) => `ready at ${address}`,
    notReady: (sentence: string) => problem(sentence, 'Until then, writes fail.'),
    silent: (address: string, reason: string) =>
      problem(
        `The process runs, but ${address} does not answer (${reason}).`,
        'Check its log, and restart it.',
      ),
  },
  publicAddress: {
    none: 'none set: only this computer',
    notRunning: (url: string) => `${url}, not checked because the server is not running`,
    ok: (url: string) => `${url} leads to this server`,
    silent: (url: string, reason: string) =>
      problem(
        `${url} does not answer (${reason}).`,
        'Check the DNS record, the proxy and the firewall, or correct SKILLDOCK_PUBLIC_URL.',
      ),
    elsewhere: (url: string) =>
      problem(
        `${url} does not lead to this server.`,
        'Correct SKILLDOCK_PUBLIC_URL, or the DNS record or the proxy that leads elsewhere.',
      ),
  },
  proxy: {
    none: 'no proxy',
    notRunning: 'not checked because the server is not running',
    ok: 'its X-Forwarded-For is read',
    untrusted: (address: string) =>
      problem(
        `The proxy at ${address} is not trusted, so its X-Forwarded-For is not read and all clients share its limits.`,
        `Trust it: SKILLDOCK_TRUST_PROXY=${address}`,
      ),
    missing: (address: string) =>
      problem(
        `Requests to the public address come from ${address} without X-Forwarded-For, so all clients share its limits.`,
        'Let the proxy send X-Forwarded-For, or unset SKILLDOCK_TRUST_PROXY if clients connect directly.',
      ),
  },
  agents: {
    none: 'none set',
    ok: (folder: string) => `readable in ${folder}`,
    missing: (folder: string) =>
      problem(
        `There is no data/nexus.db in ${folder}.`,
        'Start the agents once, or set SKILLDOCK_WORKSPACE to their project.',
      ),
  },
  compact: {
    inUse: (folder: string) =>
      `A server is running on the data folder ${folder}. Stop it first: doctor --repair needs exclusive access.`,
    open: 'Another program has the database open. Close it first: doctor --repair needs exclusive access.',
    wrongCopy: (difference: string) =>
      `The new database differs from the old one (${difference}). The old one is unchanged. Run: skilldock verify`,
    done: (before: number, after: number) =>
      `Rewrote the database: ${inBytes(before)} before, ${inBytes(after)} after.`,
  },
} as const

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
