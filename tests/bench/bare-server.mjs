// The baseline: a bare node:http server that sends prepared bytes or streams a file.
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'

const [answersFile, streamedFile] = process.argv.slice(2)
const answers = new Map()
if (answersFile !== undefined && answersFile !== '') {
  const entries = JSON.parse(readFileSync(answersFile, 'utf8'))
  for (const [path, text] of entries) answers.set(path, Buffer.from(text))
}

const server = createServer((req, res) => {
  if (req.url === '/file' && streamedFile !== undefined) {
    res.writeHead(200, { 'Content-Type': 'application/wasm', 'Content-Length': statSync(streamedFile).size })
    createReadStream(streamedFile, { highWaterMark: 262_144 }).pipe(res)
    return
  }
  const bytes = answers.get(req.url ?? '') ?? Buffer.from('{}')
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
  res.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
