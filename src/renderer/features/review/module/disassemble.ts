import type { Disassembly, DisassemblyQuestion } from '../../../../shared/wasm/function-text.ts'
import { createFrame } from '../../../lib/sandboxed-frame.ts'
import type { FunctionToRead } from './module-questions.ts'
import type { OpenModule } from './open-module.ts'
import { texts } from './module-views.texts.ts'

const disassemblyLimitMs = 10_000

/** The lines of a disassembled function, or why it could not be disassembled. */
export type FunctionText = { read: FunctionToRead } & (
  | { kind: 'text'; lines: string[]; cut: boolean; stop: Disassembly['stop'] }
  | { kind: 'refused'; reason: string }
)

const frame = createFrame('inside')

/**
 * Disassembles one function in a sandboxed frame, which never sees more of the module than that function. Resolves to
 * null if the module has no such function; rejects when aborted.
 */
export async function disassemble(
  module: OpenModule,
  place: number,
  signal: AbortSignal,
): Promise<FunctionText | null> {
  const read = await module.ask('function', { place })
  if (read === null) return null
  const { one } = read
  const question: DisassemblyQuestion = { module: one.module, smallOffset: one.smallOffset }
  const answer = await frame.ask<Disassembly>(question, {
    transfer: [one.module.buffer],
    timeLimitMs: disassemblyLimitMs,
    signal,
  })
  signal.throwIfAborted()
  if (answer.kind === 'time-limit') {
    const seconds = disassemblyLimitMs / 1000
    return { kind: 'refused', read, reason: texts.function.timedOut(seconds) }
  }
  if (answer.kind === 'failed') {
    return { kind: 'refused', read, reason: texts.function.gaveUp(answer.detail) }
  }
  if (answer.kind === 'canceled') throw new DOMException('The request was canceled.', 'AbortError')
  const { text, cut, stop } = answer.message
  const named = text === '' ? [] : (await module.ask('nameCalls', { text })).split('\n')
  const lines = [...read.head, ...named.map((line) => `  ${line}`), ...(cut || stop !== null ? [] : [')'])]
  // A truncated body ends in the middle of an instruction, which is not an error of the module.
  const isWhole = one.given === one.size
  return { kind: 'text', read, lines, cut: cut || !isWhole, stop: isWhole ? stop : null }
}
