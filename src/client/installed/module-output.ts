import { plain } from '../terminal/terminal.ts'
import type { Stream } from '../terminal/terminal.ts'

interface ModuleOutput {
  write(bytes: Uint8Array): void
  /** Called after the last write. */
  end(): void
}

/**
 * Passes on a module's output byte for byte. On a terminal the output is untrusted text, so control characters are
 * escaped unless `isRaw` is set.
 */
export function createModuleOutput(stream: Stream, isRaw: boolean): ModuleOutput {
  if (stream.isTTY !== true || isRaw) {
    return { write: (bytes) => void stream.write(bytes), end: () => {} }
  }
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held = ''
  let last = '\n'
  const show = (text: string): void => {
    if (text === '') return
    stream.write(plain(text))
    last = text
  }
  return {
    write(bytes) {
      const text = held + decoder.decode(bytes, { stream: true })
      // It may be the first half of a line break.
      held = text.endsWith('\r') ? '\r' : ''
      show(held === '' ? text : text.slice(0, -1))
    },
    end() {
      show(held + decoder.decode())
      if (!last.endsWith('\n')) stream.write('\n')
    },
  }
}
