import type { FromWorker, ToWorker } from '../../shared/frames/frame-messages.ts'

interface Answer<T> {
  message: T
  /** Buffers of `message` that are transferred instead of copied. */
  transfer?: ArrayBuffer[]
}

/** Runs the worker of a frame: every question gets one answer, or the error that `work` threw. */
export function answerQuestions<Question, Reply, Progress = never>(
  work: (question: Question, progress: (message: Progress) => void) => Answer<Reply> | Promise<Answer<Reply>>,
): void {
  const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => postMessage(message, { transfer })
  const answer = async (question: Question): Promise<void> => {
    try {
      const { message, transfer = [] } = await work(question, (progress) =>
        send({ kind: 'progress', message: progress }),
      )
      send({ kind: 'answer', message, transfer }, transfer)
    } catch (error) {
      send({ kind: 'failed', detail: error instanceof Error ? error.message : String(error) })
    }
  }
  addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    void answer(data.message as Question)
  })
  send({ kind: 'ready' })
}
