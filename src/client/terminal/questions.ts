import { createInterface } from 'node:readline'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

/** Asks until an answer is one. */
export interface Questions {
  /** `read` gives what the answer means, or throws with a sentence that is shown before it is asked again. */
  ask<Answer>(question: string, read: (answer: string) => Answer): Promise<Answer>
  end(): void
}

/** Whether somebody is there who can answer. */
export const canAsk = ({ isJson, stdin, terminal }: Context): boolean =>
  !isJson && stdin.isTTY === true && terminal.isInteractive

export function createQuestions({ stdin, terminal, signal }: Context): Questions {
  const reader = createInterface({ input: stdin, terminal: false, signal })
  const lines = reader[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { done, value } = await lines.next()
    terminal.status('')
    signal.throwIfAborted()
    if (done !== true) return value.trim()
    throw new ClientError(exitCodes.usage, 'There was no answer.', { code: 'USAGE' })
  }
  return {
    async ask(question, read) {
      for (;;) {
        terminal.status(`${terminal.style('bold', question)} `)
        // oxlint-disable-next-line no-await-in-loop
        const answer = await nextLine()
        try {
          return read(answer)
        } catch (error) {
          terminal.line(error instanceof Error ? error.message : String(error))
        }
      }
    },
    end: () => reader.close(),
  }
}
