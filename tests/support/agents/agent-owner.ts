import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AgentProject, Journal } from './agent-project.ts'
import type { WriterCommand, Written } from './agent-writer.ts'

/** The owner of an agent project: another process that has its database open. */
export interface AgentOwner {
  /** Returns the rows of a query, or the number of changed rows. */
  run(sql: string, ...values: unknown[]): Promise<unknown>
  /** Writes an audit row at each interval. */
  keepWriting(everyMs: number): Promise<void>
  stopWriting(): Promise<Written>
  /** Closes the database and exits. */
  close(): Promise<void>
  /** Terminates the process immediately. */
  kill(): Promise<void>
}

/** Starts an owner and resolves when it has opened the database. Stop each one with `close` or `kill`. */
export async function startOwner(
  project: AgentProject,
  journal: Journal = 'wal',
  locking: 'NORMAL' | 'EXCLUSIVE' = 'NORMAL',
): Promise<AgentOwner> {
  const child = fork(join(import.meta.dirname, 'agent-writer.ts'), [project.file, journal, locking], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let last = 0
  child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    const pending = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) pending?.resolve(value)
    else pending?.reject(new Error(error))
  })
  const exited = once(child, 'exit')
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The owner has ended'))
  })
  const expectAnswer = (id: number): Promise<unknown> =>
    new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  const send = (command: WriterCommand): Promise<unknown> => {
    last += 1
    const answer = expectAnswer(last)
    child.send({ id: last, command })
    return answer
  }

  await expectAnswer(0)
  return {
    run: (sql, ...values) => send({ do: 'run', sql, values }),
    keepWriting: async (everyMs) => void (await send({ do: 'keep-writing', everyMs })),
    stopWriting: async () => (await send({ do: 'stop-writing' })) as Written,
    async close() {
      await send({ do: 'close' })
      await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
