import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { AgentProject, Journal } from './agent-project.ts'
import type { WriterOrder } from './agent-writer.ts'

/** The owner of an agent project: another process that has its database open. */
export interface AgentOwner {
  /** Rows of a query, or how many rows have changed. */
  run(sql: string, ...values: unknown[]): Promise<unknown>
  /** An audit row each time. */
  keepWriting(everyMs: number): Promise<void>
  /** Stops that; gives how many rows were written. */
  rest(): Promise<number>
  /** Closes the database and ends. */
  close(): Promise<void>
  /** Ends at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

/** Starts an owner; it has opened the database when this resolves. End each with `close` or `kill`. */
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
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(new Error(error))
  })
  const gone = once(child, 'exit')
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The owner has ended'))
  })
  const expectAnswer = (id: number): Promise<unknown> =>
    new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  const tell = (order: WriterOrder): Promise<unknown> => {
    last += 1
    const answer = expectAnswer(last)
    child.send({ id: last, order })
    return answer
  }

  await expectAnswer(0)
  return {
    run: (sql, ...values) => tell({ do: 'run', sql, values }),
    keepWriting: async (everyMs) => void (await tell({ do: 'keep-writing', everyMs })),
    rest: async () => Number(await tell({ do: 'rest' })),
    async close() {
      await tell({ do: 'close' })
      await gone
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
