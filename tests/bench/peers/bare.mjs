// The peer of most cases: a bare node:http server that sends prepared bytes, streams a file, or stores what it receives.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The bytes of each path, copied from another server. */
const answers = new Map()
let streamed = { path: '', size: 0 }
let sinkFolder = ''
let received = 0

const readAll = async (req) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const reply = (res, status) => res.writeHead(status, { 'Content-Length': 2 }).end('{}')

/** Receives, hashes, writes and flushes like a registry: the file, its folder, and a row in a journal. */
async function sink(req, res) {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  received += 1
  const part = `${sinkFolder}/${received}.part`
  await pipeline(req, hashed, createWriteStream(part, { flags: 'wx', flush: true }))
  await rename(part, `${sinkFolder}/${hash.digest('hex')}`)
  for (const [name, flags] of [
    [sinkFolder, 'r'],
    [`${sinkFolder}/journal`, 'a'],
  ]) {
    const handle = await open(name, flags)
    if (flags === 'a') await handle.appendFile(Buffer.alloc(4096))
    await handle.sync()
    await handle.close()
  }
  reply(res, 201)
}

/** `{ origin, paths }` are copied to be sent; `{ streamed }` is a file to be streamed; `{ sinkFolder }` receives files. */
async function prepare(req, res) {
  const order = JSON.parse(await readAll(req))
  if (order.streamed !== undefined) {
    streamed = { path: order.streamed, size: statSync(order.streamed).size }
  }
  if (order.sinkFolder !== undefined) sinkFolder = order.sinkFolder
  if (order.paths !== undefined) answers.clear()
  for (const path of order.paths ?? []) {
    const response = await fetch(`${order.origin}${path}`)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    const type = response.headers.get('content-type')
    answers.set(path, { type, bytes: Buffer.from(await response.arrayBuffer()) })
  }
  reply(res, 200)
}

function stream(res) {
  res.writeHead(200, { 'Content-Type': 'application/wasm', 'Content-Length': streamed.size })
  createReadStream(streamed.path, { highWaterMark: 262_144 }).pipe(res)
}

const server = createServer((req, res) => {
  const answer = answers.get(req.url)
  if (req.method === 'POST') void (req.url === '/prepare' ? prepare : sink)(req, res)
  else if (req.headers['if-none-match'] !== undefined) res.writeHead(304).end()
  else if (req.url === '/streamed') stream(res)
  else if (answer === undefined) reply(res, 200)
  else {
    res.writeHead(200, { 'Content-Type': answer.type, 'Content-Length': answer.bytes.length })
    res.end(answer.bytes)
  }
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
