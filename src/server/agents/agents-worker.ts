// The entry of the thread that reads the chosen agent project. Nothing else in this program opens its database.
import { parentPort } from 'node:worker_threads'
import { allQueries } from './all-queries.ts'
import { createProjectReader } from './project-reader.ts'
import { createProjectWatch } from './project-watch.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

if (parentPort === null) throw new Error('This is a thread of the services and is started by them.')
const port = parentPort

const say = (message: FromWorker): void => {
  const transfer = 'answer' in message ? transferOf(message.answer.value) : []
  port.postMessage(message, transfer)
}

const watch = createProjectWatch((project) => say({ type: 'watched', project }))
const reader = createProjectReader({ queries: allQueries, watch, say })

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'project':
      watch.choose(message.folder)
      break
    case 'read':
      void reader.read(message.id, message.query, message.params)
      break
    case 'cancel':
      reader.cancel(message.id)
      break
    case 'end':
      watch.end()
      reader.end()
      port.close()
      break
  }
})

/** Bytes are handed over instead of copied. */
function transferOf(value: unknown): ArrayBuffer[] {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : []
}
