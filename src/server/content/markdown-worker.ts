// Entry point of the Markdown worker, the only part of the server that parses Markdown.
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../shared/errors.ts'
import type { FromMarkdownWorker, TextResult, TextWork } from './markdown-messages.ts'
import { markdownToHtml } from './markdown-to-html.ts'
import { rewriteMarkdown } from './rewrite-markdown.ts'

if (parentPort === null) throw new Error('this script must run as a worker thread')
const port = parentPort

// Messages between threads have no origins.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const send = (message: FromMarkdownWorker): void => port.postMessage(message)

const run = (work: TextWork): TextResult =>
  work.kind === 'html'
    ? markdownToHtml(work.markdown, work.options)
    : rewriteMarkdown(work.markdown, work.options)

port.on('message', (work: TextWork) => {
  try {
    send({ type: 'done', result: run(work) })
  } catch (error) {
    send({ type: 'failed', message: messageOf(error) })
  }
})
send({ type: 'ready' })
