import type { FromWorker, ToWorker } from '../../shared/frames/frame-messages.ts'

export interface Answer<T> {
  message: T
  /** Buffers of `message` that are handed over and not copied. */
  transfer?: ArrayBuffer[]
}

/** Makes a worker of a frame: every question gets one answer, or what `work` threw. */
export function answerQuestions<Question, Reply, Progress = never>(
  work: (question: Question, progress: (message: Progress) => void) => Answer<Reply> | Promise<Answer<Reply>>,
): void {
  const tell = (said: FromWorker, transfer: ArrayBuffer[] = []): void => postMessage(said, { transfer })
  const answer = async (question: Question): Promise<void> => {
    try {
      const { message, transfer = [] } = await work(question, (sofar) =>
        tell({ kind: 'progress', message: sofar }),
      )
      tell({ kind: 'answer', message, transfer }, transfer)
    } catch (error) {
      tell({ kind: 'failed', detail: error instanceof Error ? error.message : String(error) })
    }
  }
  addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    void answer(data.message as Question)
  })
  tell({ kind: 'up' })
}
