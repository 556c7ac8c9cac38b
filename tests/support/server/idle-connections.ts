import { connectRaw } from './raw-client.ts'
import type { RawClient } from './raw-client.ts'

/** Opens connections from many addresses: half of them send nothing, half begin a request and never complete it. */
export async function openIdle(url: string, count: number): Promise<RawClient[]> {
  const clients: RawClient[] = []
  while (clients.length < count) {
    const batch = Array.from({ length: Math.min(100, count - clients.length) }, async (_, index) => {
      const at = clients.length + index
      const client = await connectRaw(url, `127.1.${at % 200}.1`)
      if (at % 2 === 0) await client.send('GET /api/health HTTP/1.1\r\nHost: ')
      return client
    })
    clients.push(...(await Promise.all(batch)))
  }
  return clients
}

/** How many milliseconds successive requests take, each on a new connection. */
export async function measureRequests(url: string, count: number): Promise<{ median: number; p99: number }> {
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    const before = performance.now()
    const response = await fetch(`${url}/api/marketplace/skills`, { headers: { Connection: 'close' } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${response.status}`)
    times.push(performance.now() - before)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(count * share) - 1] ?? 0
  return { median: at(0.5), p99: at(0.99) }
}
