import type { ModuleAnswer, ModuleOutline, ModuleQuestions, QuestionKind } from './module-questions.ts'

/** A module in its own worker, which answers questions about it. */
export interface OpenModule {
  /** Part of query keys, to separate the answers about different modules. */
  key: number
  outline: ModuleOutline
  ask<Kind extends QuestionKind>(
    kind: Kind,
    ask: ModuleQuestions[Kind]['ask'],
  ): Promise<ModuleQuestions[Kind]['answer']>
}

let lastKey = 0

/** Opens a module in a new worker. Rejects if the worker cannot be started or fails. */
export async function openModule(file: Blob, signal: AbortSignal): Promise<OpenModule> {
  const worker = new Worker(new URL('./module-worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>()
  let lastId = 0
  const failAll = (reason: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  const close = (): void => {
    worker.terminate()
    failAll('The module was closed.')
  }
  signal.addEventListener('abort', close, { once: true })

  worker.addEventListener('message', ({ data }: MessageEvent<ModuleAnswer>) => {
    const request = waiting.get(data.id)
    waiting.delete(data.id)
    if ('failed' in data) request?.reject(new Error(data.failed))
    else request?.resolve(data.answer)
  })
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    failAll(`The module reader failed: ${event.message}`)
  })

  const ask = <Kind extends QuestionKind>(
    kind: Kind,
    question: ModuleQuestions[Kind]['ask'],
    transfer: ArrayBuffer[] = [],
  ): Promise<ModuleQuestions[Kind]['answer']> =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve: (answer) => resolve(answer as ModuleQuestions[Kind]['answer']), reject })
      worker.postMessage({ id: lastId, kind, ask: question }, transfer)
    })

  try {
    const bytes = await file.arrayBuffer()
    signal.throwIfAborted()
    const outline = await ask('open', { bytes }, [bytes])
    lastKey += 1
    return { key: lastKey, outline, ask: (kind, question) => ask(kind, question) }
  } catch (error) {
    close()
    throw error
  }
}
