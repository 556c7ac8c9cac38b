// A peer for packages: Express's own `sendFile`. Its argument is the file.
import express from 'express'

const [, , file] = process.argv
const server = express()
  .get('/streamed', (_req, res) => res.sendFile(file))
  .listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
  })
