import type * as Electron from './electron.ts'

/** What a test asks of the main process, over the pipe that has started it. */
export type Question =
  | { id: number; kind: 'evaluate'; source: string; argument: unknown }
  | { id: number; kind: 'debug'; partition: string }
export type Answer = { id: number; ok: boolean; value: unknown }

/** Answers tests; an app that nobody tests is left alone. */
export function listenToTests(electron: typeof Electron): void {
  if (process.send === undefined) return
  const answer = async (question: Question): Promise<unknown> => {
    if (question.kind === 'debug')
      return (await electron.session.fromPartition(question.partition).open()).debug
    // The text of a function of the test, as Playwright passes one to the real main process.
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
  // An app does not outlive its test, and the pipe alone keeps nothing alive before the app is ready.
  process.on('disconnect', () => process.exit(1))
  process.channel?.unref()
}
