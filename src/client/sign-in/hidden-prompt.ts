import { usageError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { interrupted } from '../to-client-error.ts'
import { texts } from './sign-in.texts.ts'

/** A terminal's raw mode delivers keys one by one without echo. */
interface Keyboard {
  setRawMode?(isRaw: boolean): unknown
}

/** Prompts for one line on the terminal without showing it or its length. */
export async function askHidden(
  { stdin, terminal, signal }: Pick<Context, 'stdin' | 'terminal' | 'signal'>,
  question: string,
): Promise<string> {
  const keyboard = stdin as typeof stdin & Keyboard
  if (stdin.isTTY !== true || keyboard.setRawMode === undefined) {
    throw usageError(texts.token.noTerminal)
  }
  // Before the prompt, so that a quick paste is not shown.
  keyboard.setRawMode(true)
  try {
    terminal.status(question)
    stdin.setEncoding('utf8')
    return await readLine(stdin, signal)
  } finally {
    keyboard.setRawMode(false)
    // Otherwise the process would keep waiting for input.
    stdin.pause()
    terminal.status('')
  }
}

function readLine(stdin: Context['stdin'], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = ''
    const end = (settle: () => void): void => {
      stdin.off('data', onData)
      stdin.off('end', onEnd)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onEnd = (): void => end(() => resolve(line))
    const onAbort = (): void => end(() => reject(interrupted(signal)))
    const onData = (piece: string): void => {
      // Ignore escape sequences: bracketed paste and arrow keys.
      // oxlint-disable-next-line no-control-regex
      for (const key of piece.replaceAll(/\u001B\[[0-9;]*[A-Za-z~]/g, '')) {
        if (key === '\r' || key === '\n' || key === '\u0004') return onEnd()
        if (key === '\u0003') return onAbort()
        if (key === '\u0015') line = ''
        else if (key === '\u007F' || key === '\b') line = line.slice(0, -1)
        else line += key
      }
    }
    if (signal.aborted) return onAbort()
    stdin.on('data', onData)
    stdin.once('end', onEnd)
    signal.addEventListener('abort', onAbort)
    stdin.resume()
  })
}
