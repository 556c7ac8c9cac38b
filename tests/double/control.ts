import type * as Electron from './electron.ts'

/** A request of a test to the main process, over the IPC channel. */
export type Question =
  | { id: number; kind: 'evaluate'; source: string; argument: unknown }
  | { id: number; kind: 'debug'; partition: string }
export type Answer = { id: number; ok: boolean; value: unknown }

/** Responds to tests, if the app was started by one. */
export function listenToTests(electron: typeof Electron): void {
  if (process.send === undefined) return
  const answer = async (question: Question): Promise<unknown> => {
    if (question.kind === 'debug')
      return (await electron.session.fromPartition(question.partition).open()).debug
    // The source of a function, which Playwright also passes to the real main process as text.
    // oxlint-disable-next-line no-implied-eval
    const run = new Function('electron', 'argument', `return (${question.source})(electron, argument)`) as (
      module: typeof Electron,
      argument: unknown,
    ) => unknown
    return run(electron, question.argument)
  }
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ id: question.id, ok: true, value } satisfies Answer),
      (error: unknown) =>
        process.send?.({ id: question.id, ok: false, value: String(error) } satisfies Answer),
    )
  })
  // An app ends with its test, and the channel must not keep the process alive before the app is ready.
  process.on('disconnect', () => process.exit(1))
  process.channel?.unref()
}
