// The entry of the thread that reads Markdown. Nothing else in the services parses what people write.
import { parentPort } from 'node:worker_threads'
import type { FromMarkdownWorker, Made, TextWork } from './markdown-messages.ts'
import { markdownToHtml } from './markdown-to-html.ts'
import { rewriteMarkdown } from './rewrite-markdown.ts'

if (parentPort === null) throw new Error('This is a thread of the services and is started by them.')
const port = parentPort

// A thread, which knows no origins.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const say = (message: FromMarkdownWorker): void => port.postMessage(message)

const make = (work: TextWork): Made =>
  work.kind === 'html'
    ? markdownToHtml(work.markdown, work.options)
    : rewriteMarkdown(work.markdown, work.options)

port.on('message', (work: TextWork) => {
  try {
    say({ type: 'made', made: make(work) })
  } catch (error) {
    say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})
say({ type: 'ready' })
