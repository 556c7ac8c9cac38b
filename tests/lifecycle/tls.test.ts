import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCommandLine, cleanUp, serve, skilldock, temporaryFolder } from '../support/command-line.ts'
import { selfSigned } from '../support/self-signed.ts'
import { until } from '../support/wait.ts'

beforeAll(buildCommandLine)
afterAll(cleanUp)

interface Answer {
  status: number | undefined
  /** The name in the certificate. */
  name: string
}

function ask(url: string, ca: string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/api/health`, { ca, agent: false }, (response) => {
      const name = (response.socket as TLSSocket).getPeerCertificate().subject.CN
      response.resume().once('end', () => resolve({ status: response.statusCode, name: String(name) }))
    })
    asking.once('error', reject)
    asking.end()
  })
}

function certificateFiles(name: string) {
  const folder = temporaryFolder()
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const made = selfSigned(name)
  writeFileSync(paths.cert, made.cert)
  writeFileSync(paths.key, made.key)
  return { paths, made, variables: { SKILLDOCK_TLS_CERT: paths.cert, SKILLDOCK_TLS_KEY: paths.key } }
}

test('the registry speaks HTTPS with the certificate, takes up a new one, and keeps the old one over a broken one', async () => {
  const { paths, made: first, variables } = certificateFiles('first')
  const server = await serve(temporaryFolder(), variables)
  expect(server.registry).toMatch(/^https:\/\/127\.0\.0\.1:/)
  expect(server.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect(await ask(server.registry, [first.cert])).toEqual({ status: 200, name: 'first' })
  await expect(fetch(server.registry.replace('https', 'http'))).rejects.toThrow('fetch failed')

  // The certificate comes first and does not fit the old key; the old pair stays until the key is there.
  const second = selfSigned('second')
  writeFileSync(paths.cert, second.cert)
  await until('the half is reported', () => server.output.stderr.includes('the old one stays'))
  expect(await ask(server.registry, [first.cert])).toEqual({ status: 200, name: 'first' })
  writeFileSync(paths.key, second.key)
  const later = new Date(Date.now() + 5000)
  utimesSync(paths.key, later, later)
  await until('the new one is read', () => server.output.stderr.includes('the certificate was read again'))
  expect(await ask(server.registry, [second.cert])).toEqual({ status: 200, name: 'second' })
  expect((await server.stop()).status).toBe(0)
})

test('with a public address and a certificate, that is the address it gives', async () => {
  const { variables } = certificateFiles('public')
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
  ['a file that is not there', (paths: { cert: string; key: string }) => rmSync(paths.cert)],
  [
    'a key of another certificate',
    (paths: { cert: string; key: string }) => writeFileSync(paths.key, selfSigned('x').key),
  ],
  ['what is no certificate', (paths: { cert: string; key: string }) => writeFileSync(paths.cert, 'hello')],
])('%s is named at the start, with status 2', async (_name, damage) => {
  const { paths, variables } = certificateFiles('broken')
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
