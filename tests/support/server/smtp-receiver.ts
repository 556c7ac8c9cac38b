import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface ReceivedMail {
  to: string[]
  user: string | null
  /** Headers and body. */
  text: string
}

export interface SmtpReceiver {
  port: number
  received: ReceivedMail[]
  /** Recipients whose messages are never answered. */
  hanging: string[]
  stop(): Promise<void>
}

/** Starts an SMTP server in its own process; see `smtp-receiver-process.ts` for what recipients do. */
export async function startSmtpReceiver(mode: 'plain' | 'starttls' = 'plain'): Promise<SmtpReceiver> {
  const child = fork(join(import.meta.dirname, 'smtp-receiver-process.ts'), [mode])
  const received: ReceivedMail[] = []
  const hanging: string[] = []
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The SMTP server ended')))
    child.on('message', (message: ReceivedMail | { port: number } | { hanging: string }) => {
      if ('port' in message) resolve(message)
      else if ('hanging' in message) hanging.push(message.hanging)
      else received.push(message)
    })
  })
  return {
    port,
    received,
    hanging,
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
