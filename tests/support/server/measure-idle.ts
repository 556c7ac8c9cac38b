import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { measureRequests, openIdle } from './idle-connections.ts'
import { startTestServer } from './server.ts'

// `npm run idle -- 10000` measures requests while as many other connections are idle. The server runs in a process of its own,
// because each end of a connection is an open file.

const [first = '10000'] = process.argv.slice(2)
if (first === 'serve') {
  const app = await startTestServer({ checkReplies: false })
  process.send?.(app.registry)
  await once(process, 'disconnect')
  await app.stop()
} else {
  const server = fork(import.meta.filename, ['serve'])
  const [url] = (await once(server, 'message')) as [string]
  await measureRequests(url, 200)
  const quiet = await measureRequests(url, 200)
  const clients = await openIdle(url, Number(first))
  const crowded = await measureRequests(url, 200)
  const open = clients.filter(({ socket }) => !socket.destroyed && !socket.readableEnded).length
  process.stdout.write(`${open} of ${first} idle connections are open\n`)
  for (const [name, { median, p99 }] of Object.entries({ before: quiet, now: crowded })) {
    process.stdout.write(`${name}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`)
  }
  for (const client of clients) client.destroy()
  server.disconnect()
}
