import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface ReceivedWebhook {
  path: string
  headers: Record<string, string>
  body: string
}

export interface WebhookReceiver {
  url: string
  port: number
  /** All requests, in order of arrival. */
  received: ReceivedWebhook[]
  stop(): Promise<void>
}

/** Starts a receiver in its own process; see `webhook-receiver-process.ts` for what its paths do. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const child = fork(join(import.meta.dirname, 'webhook-receiver-process.ts'))
  const received: ReceivedWebhook[] = []
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The receiver ended')))
    child.on('message', (message: ReceivedWebhook | { port: number }) => {
      if ('port' in message) resolve(message)
      else received.push(message)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
