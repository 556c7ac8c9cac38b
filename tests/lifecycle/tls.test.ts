import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { cleanUp, serve, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import { askOverTls, certificateFiles } from '../support/server/certificate-files.ts'
import { selfSigned } from '../support/server/self-signed.ts'
import { until } from '../support/wait.ts'

afterAll(cleanUp)

function variablesFor(name: string) {
  const files = certificateFiles(temporaryFolder(), name)
  const { cert, key } = files.paths
  return { ...files, variables: { SKILLDOCK_TLS_CERT: cert, SKILLDOCK_TLS_KEY: key } }
}

test('the registry uses HTTPS with the certificate, reloads a new one, and keeps the old one if the new one is invalid', async () => {
  const { paths, made: first, variables } = variablesFor('first')
  const server = await serve(temporaryFolder(), variables)
  expect(server.registry).toMatch(/^https:\/\/127\.0\.0\.1:/)
  expect(server.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect(await askOverTls(server.registry, [first.cert])).toEqual({ status: 200, name: 'first' })
  await expect(fetch(server.registry.replace('https', 'http'))).rejects.toThrow('fetch failed')

  // The certificate is written first and does not match the old key; the old pair stays until the new key is there.
  const second = selfSigned('second')
  writeFileSync(paths.cert, second.cert)
  await until('the mismatch is reported', () => server.output.stderr.includes('keeping the old one'))
  expect(await askOverTls(server.registry, [first.cert])).toEqual({ status: 200, name: 'first' })
  writeFileSync(paths.key, second.key)
  const later = new Date(Date.now() + 5000)
  utimesSync(paths.key, later, later)
  await until('the new one is loaded', () => server.output.stderr.includes('certificate reloaded'))
  expect(await askOverTls(server.registry, [second.cert])).toEqual({ status: 200, name: 'second' })
  expect((await server.stop()).status).toBe(0)
})

test('browsers are told to use only HTTPS, even by the answer to invalid HTTP, unless the address is http://', async () => {
  const { made, variables } = variablesFor('only')
  const server = await serve(temporaryFolder(), variables)
  const { hostname, port } = new URL(server.registry)
  const socket = connect({ host: hostname, port: Number(port), ca: [made.cert] })
  socket.end('nonsense\r\n\r\n')
  const rule = 'Strict-Transport-Security: max-age=31536000\r\n'
  expect(await text(socket)).toContain(rule)
  const health = connect({ host: hostname, port: Number(port), ca: [made.cert] })
  health.end('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
  expect(await text(health)).toContain(rule)
  await server.stop()

  const plain = await serve(temporaryFolder())
  const answer = await fetch(`${plain.registry}/api/health`)
  expect(answer.status).toBe(200)
  expect(answer.headers.has('strict-transport-security')).toBe(false)
  await plain.stop()
})

test('a public address is reported instead of the listen address', async () => {
  const { variables } = variablesFor('public')
  const readyFile = join(temporaryFolder(), 'ready.json')
  const server = await serve(temporaryFolder(), {
    ...variables,
    SKILLDOCK_HOST: '0.0.0.0',
    SKILLDOCK_PUBLIC_URL: 'https://skills.example/',
    SKILLDOCK_READY_FILE: readyFile,
  })
  expect(server.registry).toBe('https://skills.example')
  expect(server.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:/)
  await server.stop()
})

test.each([
  ['a missing file', (paths: { cert: string; key: string }) => rmSync(paths.cert)],
  [
    'a key of another certificate',
    (paths: { cert: string; key: string }) => writeFileSync(paths.key, selfSigned('x').key),
  ],
  [
    'a file that is not a certificate',
    (paths: { cert: string; key: string }) => writeFileSync(paths.cert, 'hello'),
  ],
])('%s is named at the start, with status 2', async (_name, damage) => {
  const { paths, variables } = variablesFor('broken')
  damage(paths)
  const run = await skilldock(temporaryFolder(), ['serve'], {
    ...variables,
    SKILLDOCK_PORT: '0',
    SKILLDOCK_DASHBOARD_PORT: '0',
  })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toContain('SKILLDOCK_TLS_CERT')
  expect(run.stderr).toContain(paths.cert)
  expect(run.stderr).not.toMatch(/^\s+at /m)
})
