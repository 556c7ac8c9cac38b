// An SMTP server in its own process: the local part of the recipient says how it behaves, and each message is reported.
import { SMTPServer } from 'smtp-server'

const attempts = new Map<string, number>()
const refusal = (text: string, responseCode: number): Error =>
  Object.assign(new Error(text), { responseCode })

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: process.argv[2] === 'starttls' ? [] : ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, callback) =>
    username === 'skilldock' && password === 'mail-password'
      ? callback(null, { user: username })
      : callback(refusal('Wrong password', 535)),
  onRcptTo({ address }, _session, callback) {
    const attempt = (attempts.get(address) ?? 0) + 1
    attempts.set(address, attempt)
    const [local] = address.split('@', 1)
    if (local === 'verbose') return callback(refusal(`\u0007${'No mailbox. '.repeat(100)}`, 550))
    if (local === 'nobody') return callback(refusal('No such mailbox', 550))
    if (local === 'later' && attempt < 3) return callback(refusal('Try again later', 451))
    if (local === 'hang') {
      process.send?.({ hanging: address })
      return undefined
    }
    return callback()
  },
  onData(stream, session, callback) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { rcptTo } = session.envelope
      process.send?.({
        to: rcptTo.map(({ address }) => address),
        user: session.user ?? null,
        text: Buffer.concat(chunks).toString(),
      })
      callback()
    })
  },
})
server.on('error', () => {})
const listening = server.listen(0, '127.0.0.1', () => {
  const address = listening.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : null })
})
process.on('disconnect', () => process.exit())
