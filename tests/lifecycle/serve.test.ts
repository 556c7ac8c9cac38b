import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { samplePrefix } from '../../src/server/storage/write-sample.ts'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import {
  builtEntry,
  cleanUp,
  readJson,
  serve,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import { leb, moduleBytes } from '../support/fixtures/wasm-bytes.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { call, manifest, publish, review } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

afterAll(cleanUp)

interface Running {
  registry: string
  dashboard: string
  pid: number
  startedAt: string
}

const health = async (url: string): Promise<number> => (await fetch(`${url}/api/health`)).status

/** Whether a part of an upload is on disk under its temporary name. The health checks write samples beside it. */
const isUploading = (data: string): boolean =>
  readdirSync(join(data, 'packages')).some((name) => name.endsWith('.part') && !name.startsWith(samplePrefix))

describe('starting', () => {
  test('reports its addresses in three places within ten seconds, and is ready from then', async () => {
    const data = temporaryFolder()
    const readyFile = join(temporaryFolder(), 'ready.json')
    // The file is written atomically: a part of it would not parse.
    const server = await serve(data, { SKILLDOCK_READY_FILE: readyFile })
    expect(await Promise.all([health(server.registry), health(server.dashboard)])).toEqual([200, 200])

    const addresses = { registry: server.registry, dashboard: server.dashboard }
    for (const url of Object.values(addresses)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(server.registry).not.toBe(server.dashboard)
    expect(await readJson(readyFile)).toEqual(addresses)
    const running = await readJson<Running>(join(data, 'running.json'))
    expect(running).toEqual({
      ...addresses,
      remoteDesk: null,
      pid: server.pid,
      startedAt: expect.any(String),
    })
    expect(new Date(running?.startedAt ?? 0).toISOString()).toBe(running?.startedAt)
    await until('the addresses are printed', () => server.output.stdout.includes('Ctrl+C'))
    expect(server.output.stdout).toBe(
      `Registry        ${server.registry}\nLocal services  ${server.dashboard}\n` +
        `Data folder     ${data}\nPress Ctrl+C to stop.\n`,
    )

    const end = await server.stop()
    expect(end).toMatchObject({ status: 0, signal: null })
    expect(existsSync(join(data, 'running.json'))).toBe(false)
    await expect(health(server.registry)).rejects.toThrow('fetch failed')
  })

  test('also exits with 0 on SIGINT', async () => {
    const server = await serve(temporaryFolder())
    server.kill('SIGINT')
    expect(await server.ended).toMatchObject({ status: 0, signal: null })
  })

  test('fails if the folder of the ready file does not exist', async () => {
    const path = join(temporaryFolder(), 'nowhere', 'ready.json')
    const run = await skilldock(temporaryFolder(), ['serve'], {
      SKILLDOCK_READY_FILE: path,
      SKILLDOCK_PORT: '0',
      SKILLDOCK_DASHBOARD_PORT: '0',
    })
    expect(run).toMatchObject({ status: 2, stdout: '' })
    expect(run.stderr).toContain(`SKILLDOCK_READY_FILE (${JSON.stringify(path)})`)
  })
})

test('a start does not load fetch and WebSocket, which an import of node:http would, or the language data of Intl', async () => {
  const atExit = `
    const formats = []
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Intl))) {
      if (typeof value !== 'function') continue
      const construct = (...args) => { formats.push(name); return Reflect.construct(...args) }
      Intl[name] = new Proxy(value, { construct })
    }
    process.on('exit', () => {
      const isFetchLoaded = process.moduleLoadList.some((name) => /undici/.test(name))
      console.log(JSON.stringify({ isFetchLoaded, formats }))
    })`
  const withList = ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`]
  const server = await serve(temporaryFolder(), {}, [process.execPath, ...withList, builtEntry])
  // The public pages and the desk answer without them, too.
  expect((await fetch(server.registry)).status).toBe(200)
  expect((await fetch(`${server.dashboard}/desk/`)).status).toBe(200)
  const { status, stdout } = await server.stop()
  expect(status).toBe(0)
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({ isFetchLoaded: false, formats: [] })
})

test('a ready file that cannot be written stops everything with status 1', async () => {
  const data = temporaryFolder()
  const run = await skilldock(data, ['serve'], {
    SKILLDOCK_READY_FILE: temporaryFolder(),
    SKILLDOCK_PORT: '0',
    SKILLDOCK_DASHBOARD_PORT: '0',
  })
  expect(run).toMatchObject({ status: 1, signal: null, stdout: '' })
  expect(existsSync(join(data, 'running.json'))).toBe(false)
})

describe('stopping', () => {
  const upload = (token: string, bytes: Uint8Array) => {
    const boundary = 'xxSlowxx'
    const head = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="manifest"\r\n\r\n${JSON.stringify(manifest({ name: 'slow' }))}\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="wasm"; filename="s.wasm"\r\nContent-Type: application/wasm\r\n\r\n`,
    )
    const body = Buffer.concat([head, bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
    const request =
      'POST /api/marketplace/publish HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
      `Authorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`
    return { start: Buffer.concat([Buffer.from(request), body.subarray(0, -20)]), rest: body.subarray(-20) }
  }

  const dial = (url: string): Socket => connect(Number(new URL(url).port), '127.0.0.1')

  const collect = (socket: Socket): Promise<Buffer> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = []
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.on('error', () => {})
      socket.once('close', () => resolve(Buffer.concat(chunks)))
    })

  test('waits for an upload and a download in progress, and refuses new requests', async () => {
    const data = temporaryFolder()
    const server = await serve(data)
    const developer = await tokenHere(data, '--subject', 'alice')
    const administrator = await tokenHere(data, '--subject', 'rita', '--role', 'admin')
    const small = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    // A custom section makes it larger than the socket buffers.
    const large = Buffer.concat([
      small,
      Buffer.from([0, ...leb(15_000_002), 1, 0x78]),
      Buffer.alloc(15_000_000),
    ])
    const { body } = await publish(server.registry, developer, manifest({ name: 'large' }), large)
    expect((await review(server.registry, administrator, body.id, 'approved')).status).toBe(200)

    const downloading = dial(server.registry)
    const downloaded = collect(downloading)
    downloading.write('GET /api/marketplace/skills/large/1.0.0/package HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await new Promise((resolve) => downloading.once('data', resolve))
    downloading.pause()

    const uploading = dial(server.registry)
    const uploaded = collect(uploading)
    const parts = upload(developer, small)
    uploading.write(parts.start)
    // The part that was received is on disk under a temporary name.
    await until('the upload has begun', () => isUploading(data))

    server.kill('SIGTERM')
    await until('new connections are refused', async () => {
      const refused = await health(server.registry).catch(() => 'refused')
      return refused === 'refused'
    })
    expect(await health(server.dashboard).catch(() => 'refused')).toBe('refused')
    expect(server.output.stderr).not.toMatch(/"registry".*"stopped"/)
    expect(existsSync(join(data, 'running.json'))).toBe(true)

    // A second request on the connection of the upload is new: it is refused, or the connection is closed.
    uploading.write(parts.rest)
    uploading.write('GET /api/marketplace/skills HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    const answer = (await uploaded).toString()
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect(answer).not.toContain('HTTP/1.1 200')
    downloading.resume()
    const received = await downloaded
    const bytes = received.subarray(received.indexOf('\r\n\r\n') + 4)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      createHash('sha256').update(large).digest('hex'),
    )

    expect(await server.ended).toMatchObject({ status: 0, signal: null })
    expect(existsSync(join(data, 'running.json'))).toBe(false)
    // The accepted release is there after the next start.
    const again = await serve(data)
    const mine = await call(`${again.registry}/api/marketplace/mine`, { token: developer })
    expect(mine.body).toMatchObject({ items: [{ name: 'slow' }, { name: 'large' }] })
    await again.stop()
  })

  test('through npm, where Ctrl+C arrives twice, still finishes requests in progress', async () => {
    const data = temporaryFolder()
    const token = await tokenHere(data, '--subject', 'alice')
    const readyFile = join(temporaryFolder(), 'ready.json')
    const npm = start(
      'npm',
      ['run', '-s', 'skilldock', '--', 'serve'],
      {
        SKILLDOCK_DATA: data,
        SKILLDOCK_PORT: '0',
        SKILLDOCK_DASHBOARD_PORT: '0',
        SKILLDOCK_READY_FILE: readyFile,
      },
      { detached: true },
    )
    const { registry } = await until('the ready file is there', () => readJson<Running>(readyFile))
    const small = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    const uploading = dial(registry)
    const uploaded = collect(uploading)
    const parts = upload(token, small)
    uploading.write(parts.start)
    await until('the upload has begun', () => isUploading(data))
    // Sent to the process group, as the terminal does.
    process.kill(-(npm.child.pid ?? 0), 'SIGINT')
    await until('it is stopping', () => npm.output.stderr.includes('"stopping"'))
    await until('new connections are refused', async () => {
      const refused = await health(registry).catch(() => 'refused')
      return refused === 'refused'
    })
    uploading.write(parts.rest)
    expect((await uploaded).toString()).toMatch(/^HTTP\/1\.1 201 /)
    await npm.ended
    expect(existsSync(join(data, 'running.json'))).toBe(false)
  })

  test('is immediate after a second, later signal, with status 1', async () => {
    const data = temporaryFolder()
    const server = await serve(data)
    const token = await tokenHere(data, '--subject', 'alice')
    const uploading = dial(server.registry)
    const uploaded = collect(uploading)
    uploading.write(upload(token, moduleBytes()).start)
    await until('the upload has begun', () => isUploading(data))
    const asked = performance.now()
    server.kill('SIGTERM')
    await until('it is stopping', () => server.output.stderr.includes('"stopping"'))
    const timer = setInterval(() => server.kill('SIGINT'), 50)
    const end = await server.ended
    clearInterval(timer)
    await uploaded
    expect(end).toMatchObject({ status: 1, signal: null })
    expect(performance.now() - asked).toBeGreaterThan(300)
  })
})

describe('ports and folders in use', () => {
  const occupy = async () => {
    // A second process, so that its id differs from that of the test.
    const port = String(await findFreePort())
    const { child, output } = start(process.execPath, [
      '-e',
      `require('net').createServer().listen(${port}, '127.0.0.1', () => console.log('ready'))`,
    ])
    await until('the other process listens', () => output.stdout.includes('ready'))
    return { child, port }
  }

  test.each(['PORT', 'DASHBOARD_PORT'])(
    'a SKILLDOCK_%s in use is status 4 and names the process that uses it',
    async (name) => {
      const holder = await occupy()
      const data = temporaryFolder()
      const run = await skilldock(data, ['serve'], {
        SKILLDOCK_PORT: '0',
        SKILLDOCK_DASHBOARD_PORT: '0',
        [`SKILLDOCK_${name}`]: holder.port,
      })
      expect(run).toMatchObject({ status: 4, stdout: '' })
      expect(run.stderr).toContain(`127.0.0.1:${holder.port}`)
      expect(run.stderr).toContain(name === 'PORT' ? 'so the registry' : 'so the local services')
      expect(run.stderr).toContain(`or choose another port (SKILLDOCK_${name}).`)
      if (process.platform === 'linux') expect(run.stderr).toContain(`(process ${holder.child.pid})`)
      expect(run.stderr).not.toMatch(/^\s+at /m)
      expect(existsSync(join(data, 'running.json'))).toBe(false)
      // With the port available, the same folder starts.
      const exited = new Promise((resolve) => holder.child.once('exit', resolve))
      holder.child.kill('SIGKILL')
      await exited
      const server = await serve(data, { [`SKILLDOCK_${name}`]: holder.port })
      expect(name === 'PORT' ? server.registry : server.dashboard).toBe(`http://127.0.0.1:${holder.port}`)
      await server.stop()
    },
  )

  test('the same port for both listeners is an error', async () => {
    const port = String(await findFreePort())
    const run = await skilldock(temporaryFolder(), ['serve'], {
      SKILLDOCK_PORT: port,
      SKILLDOCK_DASHBOARD_PORT: port,
    })
    expect([2, 4]).toContain(run.status)
    expect(run.stderr).toContain(port)
  })

  test('a second server on the folder is status 4 and names the first; commands still work', async () => {
    const data = temporaryFolder()
    const first = await serve(data)
    const ports = { SKILLDOCK_PORT: '0', SKILLDOCK_DASHBOARD_PORT: '0' }
    const second = await skilldock(data, ['serve'], ports)
    expect(second).toMatchObject({ status: 4, stdout: '' })
    for (const part of [String(first.pid), first.registry, data]) expect(second.stderr).toContain(part)
    // The refused one did not affect the first.
    expect(await readJson<Running>(join(data, 'running.json'))).toMatchObject({ pid: first.pid })
    expect(await health(first.registry)).toBe(200)
    expect((await skilldock(data, ['people', 'add', 'alice'])).status).toBe(0)

    first.kill('SIGKILL')
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(existsSync(join(data, 'running.json'))).toBe(true)
    const third = await serve(data)
    expect(await readJson<Running>(join(data, 'running.json'))).toMatchObject({
      pid: third.pid,
      registry: third.registry,
    })
    await third.stop()
  })

  test('of two servers started at once, one runs and the other is refused', async () => {
    const data = temporaryFolder()
    const both = await Promise.allSettled([serve(data), serve(data)])
    const [winner] = both.filter((one) => one.status === 'fulfilled')
    const [loser] = both.filter((one) => one.status === 'rejected')
    expect(String(loser?.reason)).toContain('serve ended with 4')
    expect(await health(winner?.value.registry ?? '')).toBe(200)
    await winner?.value.stop()
  })
})

test('the log is JSON with one event per line, with request ids and without tokens', async () => {
  const data = temporaryFolder()
  const server = await serve(data)
  const token = await tokenHere(data, '--subject', 'alice')
  const wrong = `${token.slice(0, -8)}AAAAAAAA`
  const headers = { authorization: `Bearer ${wrong}`, cookie: `token=${token}`, 'x-token': token }
  const refused = await fetch(`${server.registry}/api/marketplace/mine?access_token=${token}`, { headers })
  expect(refused.status).toBe(401)
  await fetch(`${server.registry}/api/marketplace/mine`, { headers: { authorization: `Bearer ${token}` } })
  await fetch(`${server.registry}/api/marketplace/review?token=${token}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await fetch(`${server.registry}/nothing?token=${token}`, { headers })
  await fetch(`${server.dashboard}/api/nothing?token=${token}`, { headers })
  await publish(server.registry, token, 'no json', Buffer.from('x'))
  await publish(server.registry, token, { token }, Buffer.from(token))
  const end = await server.stop()

  const lines = end.stderr.trimEnd().split('\n')
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const event of events) {
    expect(event).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    })
  }
  const refusals = events.filter((event) => event['msg'] === 'refused')
  expect(refusals).toHaveLength(6)
  expect(refusals[0]).toMatchObject({
    requestId: refused.headers.get('x-request-id'),
    method: 'GET',
    path: '/api/marketplace/mine',
    status: 401,
    code: 'TOKEN_INVALID',
  })
  expect(new Set(refusals.map((event) => event['requestId'])).size).toBe(6)
  for (const text of [end.stderr, end.stdout]) {
    expect(text).not.toContain(token.split('.')[1])
    expect(text).not.toMatch(/eyJ[\w-]{8}|Bearer/)
  }
  expect(events.map((event) => event['msg'])).toEqual(
    expect.arrayContaining(['listening', 'stopping', 'stopped']),
  )
})

describe('the data folder', () => {
  const home = () => {
    const folder = temporaryFolder()
    return { folder, variables: { HOME: folder, SKILLDOCK_DATA: '' } }
  }
  const make = (variables: Record<string, string>) => skilldockHere('', ['people', 'add', 'alice'], variables)

  test.runIf(process.platform === 'linux')(
    'is the default, or given by XDG_DATA_HOME, location.json or SKILLDOCK_DATA',
    async () => {
      const { folder, variables } = home()
      const has = (...path: string[]): boolean => existsSync(join(folder, ...path, 'skilldock.db'))
      expect((await make(variables)).status).toBe(0)
      expect(has('.local/share/skilldock')).toBe(true)

      const withXdg = { ...variables, XDG_DATA_HOME: join(folder, 'xdg') }
      expect((await make(withXdg)).status).toBe(0)
      expect(has('xdg/skilldock')).toBe(true)

      const config = join(folder, 'config')
      mkdirSync(join(config, 'skilldock'), { recursive: true })
      const location = join(config, 'skilldock', 'location.json')
      writeFileSync(location, JSON.stringify({ dataFolder: join(folder, 'chosen') }))
      const withLocation = { ...withXdg, XDG_CONFIG_HOME: config }
      expect((await make(withLocation)).status).toBe(0)
      expect(has('chosen')).toBe(true)

      expect((await make({ ...withLocation, SKILLDOCK_DATA: join(folder, 'named') })).status).toBe(0)
      expect(has('named')).toBe(true)

      writeFileSync(location, JSON.stringify({ dataFolder: 'not/absolute' }))
      const refused = await make(withLocation)
      expect(refused).toMatchObject({ status: 2, stdout: '' })
      expect(refused.stderr).toContain(location)
    },
  )
})

test('all invalid settings are named, with status 2, and nothing is created', async () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ dailySubmissions: 0, color: 'red', port: 'x' }))
  const run = await skilldock(data, ['serve'], { SKILLDOCK_PORT: '65536', SKILLDOCK_PUBLIC_URL: 'ftp://x' })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  for (const line of [
    'SKILLDOCK_PORT ("65536") must be at most 65535',
    'SKILLDOCK_PUBLIC_URL ("ftp://x") must be a URL starting with http:// or https://',
    'settings.json: dailySubmissions must be at least 1',
    'settings.json: color is not a known field; remove it',
  ]) {
    expect(run.stderr.split('\n')).toContain(`  ${line}`)
  }
  expect(readFileSync(join(data, 'settings.json'), 'utf8')).toContain('color')
  expect(existsSync(join(data, 'skilldock.db'))).toBe(false)
})
