// A receiver of webhooks in its own process: the path says how it behaves, and each request is reported to the parent.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const attempts = new Map<string, number>()

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://receiver')
  const id = String(req.headers['webhook-id'])
  const attempt = (attempts.get(pathname + id) ?? 0) + 1
  attempts.set(pathname + id, attempt)
  process.send?.({ path: pathname, headers: req.headers, body: Buffer.concat(chunks).toString() })
  const answers: Record<string, () => void> = {
    '/ok': () => res.writeHead(204).end(),
    '/flaky': () => res.writeHead(attempt > Number(searchParams.get('failures')) ? 200 : 500).end('not yet'),
    '/fail': () => res.writeHead(500).end(`\u001B[31mbroken\u0000${'x'.repeat(10_000)}`),
    '/busy': () => res.writeHead(429, { 'retry-after': '600' }).end('later'),
    '/gone': () => res.writeHead(410).end('gone'),
    '/redirect': () => res.writeHead(307, { location: '/ok' }).end(),
    '/hang': () => {},
    '/drip': () => {
      res.writeHead(500)
      const timer = setInterval(() => res.write('.'), 20)
      res.on('close', () => clearInterval(timer))
    },
    '/flood': () => {
      res.writeHead(500)
      const more = (): void => {
        while (res.write('x'.repeat(65_536)));
      }
      res.on('drain', more)
      more()
    },
  }
  answers[pathname]?.()
}

const server = createServer((req, res) => void receive(req, res))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
