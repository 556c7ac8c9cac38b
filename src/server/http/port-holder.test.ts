import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../../../tests/support/server/free-port.ts'
import { findPortHolder } from './port-holder.ts'

const listening = process.platform === 'linux' || process.platform === 'darwin'

test.runIf(listening)('names the process that listens on a port', async () => {
  const script =
    "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))"
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const port = await new Promise<number>((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())))
    })
    const holder = await findPortHolder(port)
    expect(holder).toEqual({ pid: child.pid, command: basename(process.execPath) })
  } finally {
    child.kill('SIGKILL')
  }
})

test.runIf(listening)('finds a listener on IPv6', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '::', resolve)).catch(() => {})
  const port = (server.address() as AddressInfo).port
  expect(await findPortHolder(port)).toMatchObject({ pid: process.pid })
  await new Promise((resolve) => server.close(resolve))
})

test('returns null for a free port', async () => {
  expect(await findPortHolder(await findFreePort())).toBeNull()
})
