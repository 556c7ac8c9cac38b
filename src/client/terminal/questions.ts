import { createInterface } from 'node:readline'
import { messageOf } from '../../shared/errors.ts'
import { usageError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { texts } from './terminal.texts.ts'

/** Whether the user can be prompted. */
export const canAsk = ({ isJson, stdin, terminal }: Context): boolean =>
  !isJson && stdin.isTTY === true && terminal.isInteractive

/** Prompts on the terminal and repeats a question until the answer is valid. */
export function createQuestions({ stdin, terminal, signal }: Context) {
  const reader = createInterface({ input: stdin, terminal: false, signal })
  const lines = reader[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { done, value } = await lines.next()
    terminal.status('')
    signal.throwIfAborted()
    if (done !== true) return value.trim()
    throw usageError(texts.noAnswer)
  }
  return {
    /** `read` parses the answer, or throws an error whose message is shown before the question is repeated. */
    async ask<Answer>(question: string, read: (answer: string) => Answer): Promise<Answer> {
      for (;;) {
        terminal.status(`${terminal.style('bold', question)} `)
        const answer = await nextLine()
        try {
          return read(answer)
        } catch (error) {
          terminal.line(messageOf(error))
        }
      }
    },
    end: (): void => reader.close(),
  }
}
