import { inBytes } from '../backup/progress.ts'

const stored = (missing: number): string => (missing === 1 ? 'stored file is' : 'stored files are')

/** The sentences of `skilldock doctor`: what it found, then what to do. */
export const doctorTexts = {
  folder: {
    ok: (free: number | null) => `writable${free === null ? '' : `, ${inBytes(free)} free`}`,
    notWritable: (reason: string | null) =>
      `It is not writable (${reason ?? 'unknown reason'}). Check its permissions, and whether its disk is mounted read-only.`,
    none: (reason: string | null) =>
      `It does not exist or cannot be read (${reason ?? 'not found'}). Set SKILLDOCK_DATA to the data folder.`,
    littleSpace: (free: number | null) => `Only ${inBytes(free ?? 0)} free. Free up some space.`,
  },
  settings: { ok: 'valid', wrong: (problem: string) => `${problem}. Fix the file, or delete it.` },
  signingKey: {
    ok: 'valid',
    wrong: (problem: string) => `${problem}. Restore signing-key.json from a backup.`,
  },
  database: {
    ok: 'intact',
    damaged: (damage: string) =>
      `Damaged: ${damage}. Run: skilldock verify. What it can't repair must be restored from a backup, or without one: skilldock rebuild`,
    unreadable: (reason: string) =>
      `It cannot be read (${reason}). Stop the server, and restore a backup into an empty folder: skilldock restore FILE. Without one, run: skilldock rebuild`,
    older:
      'It was written by an older Skilldock. Start this version once to update it; it makes a backup first.',
    newer: 'It was written by a newer Skilldock. Use that version.',
  },
  backups: {
    tested: (at: string) => `last tested at ${at}`,
    none: 'The server has not made a tested backup yet. Unless you make backups yourself: skilldock backup FILE',
    failed: (reason: string) => `The last backup failed. ${reason}`,
  },
  wal: {
    ok: (bytes: number) => inBytes(bytes),
    large: (bytes: number) =>
      `${inBytes(bytes)}: another program keeps a read transaction open. Close programs that have skilldock.db open; the server then truncates the log within 30 s.`,
  },
  fragmentation: {
    ok: (share: number) => `${percent(share)} unused`,
    high: (share: number) =>
      `${percent(share)} of the database is unused. Stop the server and run: skilldock doctor --repair`,
  },
  clock: {
    ok: 'later than every stored time',
    back: (newest: string, now: string) =>
      `The newest record is from ${newest}, but the clock says ${now}. Set the clock; until then, new records are dated before older ones.`,
  },
  files: {
    ok: (files: number) => `all ${files} present`,
    missing: (missing: number, first: string) =>
      `${missing} ${stored(missing)} missing, such as ${first}. Restore from a backup, and list all of them: skilldock verify`,
  },
  server: {
    none: 'not running',
    ok: (address: string) => `ready at ${address}`,
    silent: (address: string, reason: string) =>
      `The process runs, but ${address} does not answer (${reason}). Check its log, and restart it.`,
  },
  compact: {
    inUse: (folder: string) =>
      `A server is running on the data folder ${folder}. Stop it first: doctor --repair needs exclusive access.`,
    open: 'Another program has the database open. Close it first: doctor --repair needs exclusive access.',
    wrongCopy: (problem: string) =>
      `The new database differs from the old one (${problem}). The old one is unchanged. Run: skilldock verify`,
    done: (before: number, after: number) =>
      `Rewrote the database: ${inBytes(before)} before, ${inBytes(after)} after.`,
  },
} as const

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
