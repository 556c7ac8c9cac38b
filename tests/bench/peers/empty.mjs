// The peer for start and idle memory: the smallest node:http server.
import { createServer } from 'node:http'

const server = createServer((_req, res) => res.writeHead(200, { 'Content-Length': 2 }).end('{}'))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
