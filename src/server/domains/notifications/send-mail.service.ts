import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { MailSecurity } from '../../../shared/settings.ts'
import type { AttemptResult } from './deliveries.service.ts'
import type { MailText } from './mail.texts.ts'
import { texts } from './notifications.texts.ts'

/** Characters of a server's answer that are stored. */
const maxAnswerCharacters = 500
const maxPasswordCharacters = 1000

/** How e-mail is sent. */
export interface MailServer {
  host: string
  port: number
  security: MailSecurity
  user: string | null
  /** The password itself, or the file that contains it. */
  password: string | null
  passwordFile: string | null
  from: string
}

interface OutgoingMail extends MailText {
  to: string
  /** The same in every attempt. */
  messageId: string
}

/**
 * Sends one e-mail. Rejects only if `signal` aborts it; every other problem is a failed attempt. The connection is
 * opened here, so that aborting closes it.
 */
export async function sendMail(
  server: MailServer,
  { to, subject, text, messageId }: OutgoingMail,
  { signal, limitMs }: { signal: AbortSignal; limitMs: number },
): Promise<AttemptResult> {
  const limit = AbortSignal.timeout(limitMs)
  try {
    const both = AbortSignal.any([signal, limit])
    const password = await readPassword(server)
    const { host, port, security, user, from } = server
    // Loaded with the first e-mail, because it imports node:http, whose exports include fetch and WebSocket.
    const { createTransport } = await import('nodemailer')
    const socket = await open(host, port, both)
    try {
      const transport = createTransport({
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(user === null ? {} : { auth: { user, pass: password } }),
        getSocket: (_options, callback) => callback(null, { connection: socket }),
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const { response } = await transport.sendMail({
        from,
        to,
        subject,
        text,
        messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return { status: 'delivered', answerStatus: statusOf(response), problem: null }
    } finally {
      socket.destroy()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) return failed(texts.problem.slow(limitMs / 1000))
    return explain(error)
  }
}

async function readPassword({ password, passwordFile }: MailServer): Promise<string> {
  if (password !== null) return password
  if (passwordFile === null) return ''
  const text = (await readFile(passwordFile, 'utf8')).trimEnd()
  // Whatever else the file contains must not be sent to the mail server.
  if (text.includes('\n') || text.length > maxPasswordCharacters) throw new Error(texts.problem.noPassword)
  return text
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // Without a listener, the error of an abort would end the process once nodemailer has removed its own.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

const failed = (problem: string): AttemptResult => ({ status: 'failed', answerStatus: null, problem })

const statusOf = (response: string): number | null => {
  const code = Number(response.slice(0, 3))
  return Number.isInteger(code) ? code : null
}

/** A refused recipient (5xx) is final; a wrong password or a full mailbox may be corrected within a day. */
function explain(error: unknown): AttemptResult {
  if (!(error instanceof Error)) return failed(String(error))
  const { code, responseCode } = error as Error & { code?: string; responseCode?: number }
  const problem = error.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxAnswerCharacters)
  return {
    ...failed(problem),
    answerStatus: responseCode ?? null,
    isFinal: code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500,
  }
}
