import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from './query-client.ts'

/** A server whose responses the test controls: `answer` resolves the oldest pending read. */
function slowServer() {
  const waiting: ((text: string) => void)[] = []
  return {
    waiting,
    read: () => new Promise<string>((resolve) => void waiting.push(resolve)),
    answer: (text: string) => waiting.shift()?.(text),
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the response of a first read that started before a change is discarded', async () => {
  const client = createQueryClient()
  const server = slowServer()
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn: server.read })
  const end = observer.subscribe(() => {})
  const changed = client.invalidateQueries({ queryKey: ['list'] })
  expect(server.waiting).toHaveLength(2)
  server.answer('old')
  await settled()
  expect(observer.getCurrentResult().data).toBeUndefined()
  server.answer('new')
  await changed
  expect(observer.getCurrentResult()).toMatchObject({ data: 'new', isStale: false, isFetching: false })
  end()
  client.clear()
})

test('so is the response of a page that a list is built from', async () => {
  const client = createQueryClient()
  const server = slowServer()
  const page = { queryKey: ['list', 'page'], queryFn: server.read }
  const observer = new QueryObserver(client, {
    queryKey: ['list', 'whole'],
    queryFn: async () => `whole of ${await client.fetchQuery(page)}`,
  })
  const end = observer.subscribe(() => {})
  await settled()
  server.answer('the first')
  await settled()
  void client.invalidateQueries({ queryKey: ['list'] })
  await settled()
  const changed = client.invalidateQueries({ queryKey: ['list'] })
  await settled()
  server.answer('old')
  await settled()
  server.answer('new')
  await changed
  expect(observer.getCurrentResult()).toMatchObject({ data: 'whole of new', isFetching: false })
  expect(server.waiting).toEqual([])
  end()
  client.clear()
})

test('a prefetch resolves with the result of the repeated read', async () => {
  const client = createQueryClient()
  const server = slowServer()
  const ahead = client.fetchQuery({ queryKey: ['one'], queryFn: server.read })
  const changed = client.invalidateQueries({ queryKey: ['one'] })
  server.answer('old')
  server.answer('new')
  expect(await ahead).toBe('new')
  await changed
  client.clear()
})
