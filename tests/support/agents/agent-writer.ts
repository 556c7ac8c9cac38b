// A process that owns an agent project and writes to it like the agent runtime: node agent-writer.ts FILE JOURNAL
// LOCKING. It receives commands over its pipe (agent-owner.ts) and exits when that closes.
import process from 'node:process'
import Sqlite from 'better-sqlite3'
import { auditHash } from './agent-project.ts'

/** A command for the owner. */
export type WriterCommand =
  | { do: 'run'; sql: string; values?: unknown[] }
  | { do: 'keep-writing'; everyMs: number }
  | { do: 'stop-writing' }
  | { do: 'close' }

/** What the owner has written in total, and the longest commit since it last began to keep writing. */
export interface Written {
  rows: number
  longestMs: number
}

const [file = '', journal = 'wal', locking = 'NORMAL'] = process.argv.slice(2)
const database = new Sqlite(file, { timeout: 5000 })
database.pragma(`locking_mode = ${locking}`)
database.pragma(`journal_mode = ${journal}`)

let timer: NodeJS.Timeout | undefined
let lamport = 0
let longestMs = 0

function writeOnce(): void {
  lamport += 1
  const detail = `{"step":${lamport}}`
  const startedAt = performance.now()
  database
    .prepare(
      `INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash)
       VALUES (datetime('now'), ?, 'writer', 'agent.step', ?, ?)`,
    )
    .run(lamport, detail, auditHash(lamport, 'writer', 'agent.step', detail))
  longestMs = Math.max(longestMs, performance.now() - startedAt)
}

function execute(command: WriterCommand): unknown {
  if (command.do === 'run') {
    const statement = database.prepare(command.sql)
    const values = command.values ?? []
    return statement.reader ? statement.all(...values) : statement.run(...values).changes
  }
  clearInterval(timer)
  if (command.do === 'keep-writing') {
    longestMs = 0
    timer = setInterval(writeOnce, command.everyMs)
  }
  if (command.do === 'close') database.close()
  return { rows: lamport, longestMs } satisfies Written
}

process.on('message', (message: { id: number; command: WriterCommand }) => {
  try {
    process.send?.({ id: message.id, value: execute(message.command) })
  } catch (error) {
    process.send?.({ id: message.id, error: String(error) })
  }
  if (message.command.do === 'close') process.disconnect()
})
process.send?.({ id: 0, value: null })
