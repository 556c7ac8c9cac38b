import { z } from 'zod'
import { isSameHash, leafHash, nodeHash } from '../../shared/log/hashes.ts'
import type { Connection } from '../db/database.ts'
import { canonicalJson } from '../db/log/canonical-json.ts'
import { detailsHash, eventLog, nodePosition } from '../db/log/event-log.ts'
import type { StoredEntry } from '../db/log/event-log.ts'
import { loggedTables } from '../db/log/logged-tables.ts'
import type { LoggedRow } from '../db/log/logged-tables.ts'
import type { Check } from './run-checks.ts'

const entriesAtOnce = 500

const entrySchema = z.looseObject({ at: z.string(), detailsSha256: z.string() })
const detailsSchema = z.object({
  subject: z.string(),
  row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).nullable(),
})

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function* entriesOf(connection: Connection): Generator<StoredEntry, void, undefined> {
  const log = eventLog(connection)
  const size = log.readSize()
  for (let start = 0; start < size; start += entriesAtOnce) yield* log.list(start, start + entriesAtOnce)
}

/** What is wrong with an entry, by itself or after an entry of this time. */
function* findInEntry(
  { subject, entry, salt, details }: StoredEntry,
  former: string,
): Generator<string, void, undefined> {
  const content = parse(entrySchema, entry)
  if (content === null) yield 'it is not an entry'
  else {
    if (content.detailsSha256 !== detailsHash(salt, details)) yield 'its details have changed'
    if (content.at < former) yield 'it is older than the entry before it'
  }
  if (parse(detailsSchema, details)?.subject !== subject) yield 'its subject has changed'
}

/** Recomputes the tree of the transparency log from its entries. */
export const logTreeCheck: Check = {
  name: 'transparency log',
  *find({ connection }) {
    const log = eventLog(connection)
    const isStored = (level: number, index: number, hash: Uint8Array): boolean => {
      const stored = log.findNode(level, index)
      return stored !== null && isSameHash(stored, hash)
    }
    let [size, time] = [0, '']
    /** The last complete subtree of each level. */
    const roots: Uint8Array[] = []
    for (const stored of entriesOf(connection)) {
      const { idx, entry } = stored
      if (idx !== size) {
        yield { problem: `log entry ${size}: it is missing, so later ones cannot be verified` }
        return
      }
      for (const problem of findInEntry(stored, time)) yield { problem: `log entry ${idx}: ${problem}` }
      size = idx + 1
      time = parse(entrySchema, entry)?.at ?? time
      let hash = leafHash(Buffer.from(entry))
      if (!isStored(0, idx, hash)) {
        yield { problem: `log entry ${idx}: it is not the one that was logged` }
        // One change of an entry is one problem, and not also one for each node above it.
        hash = log.findNode(0, idx) ?? hash
      }
      let level = 0
      for (let right = idx; right % 2 === 1; right = (right - 1) / 2) {
        hash = nodeHash(roots[level] ?? hash, hash)
        level += 1
        if (!isStored(level, (right - 1) / 2, hash)) {
          yield {
            problem: `transparency log: node ${nodePosition(level, (right - 1) / 2)} does not match its entries`,
          }
        }
      }
      roots[level] = hash
    }
    const nodes = log.countNodes()
    if (nodes !== nodePosition(0, size)) {
      yield { problem: `transparency log: it has ${nodes} nodes instead of ${nodePosition(0, size)}` }
    }
  },
}

/** Compares each logged row with the last entry about it. */
export const loggedRowsCheck: Check = {
  name: 'logged rows',
  *find({ connection }) {
    const log = eventLog(connection)
    const now = new Date().toISOString()
    for (const { idx, subject, details } of entriesOf(connection)) {
      const table = loggedTables.find(({ name }) => subject.startsWith(`${name}/`))
      if (table === undefined || log.findLatestIndex(subject) !== idx) continue
      const logged = parse(detailsSchema, details)?.row ?? null
      const row = log.findRow(subject)
      if (row === null && logged !== null && table.mayExpire?.(logged, now) === true) continue
      const difference = compare(row, logged)
      const key = subject.slice(table.name.length + 1)
      if (difference !== null) yield { problem: `${table.noun} ${key}: ${difference}` }
    }
    for (const table of loggedTables) {
      for (const key of log.listUnlogged(table)) {
        yield { problem: `${table.noun} ${key}: it is not in the transparency log` }
      }
    }
  },
}

function compare(row: LoggedRow | null, logged: LoggedRow | null): string | null {
  if (canonicalJson(row) === canonicalJson(logged)) return null
  if (row === null) return 'it is missing, although the transparency log has it'
  if (logged === null) return 'it was deleted according to the transparency log'
  const columns = Object.keys(row).filter((column) => row[column] !== logged[column])
  return `${columns.join(', ')} ${columns.length === 1 ? 'differs' : 'differ'} from the transparency log`
}
