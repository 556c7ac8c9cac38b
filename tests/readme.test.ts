import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { externalIssuersSchema } from '../src/shared/contracts/issuers.ts'
import { fencedBlocks, runBlocks } from './support/client/shell-blocks.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = fencedBlocks(readme, 'sh')
const operationsPage = readFileSync(join(root, 'docs/OPERATIONS.md'), 'utf8')
const operations = fencedBlocks(operationsPage, 'sh')
const home = mkdtempSync(join(tmpdir(), 'skilldock-readme-'))
const readyFile = join(home, 'ready.json')
const environment = {
  ...process.env,
  HOME: home,
  SKILLDOCK_DATA: join(home, 'data'),
  SKILLDOCK_PORT: '0',
  SKILLDOCK_DASHBOARD_PORT: '0',
  SKILLDOCK_READY_FILE: readyFile,
  SKILLDOCK_NO_ELECTRON: '1',
}

const started = 'npm ci && npm start\n'
const tested = 'npm ci && npm test\n'

/** What the README tells the reader to do in the desk between its two blocks. */
const approve = `
RITA=$(npm run -s skilldock -- token --subject rita --name "Rita" --role admin)
curl -fsS http://127.0.0.1:4280/api/marketplace/review/1 \
  -H "Authorization: Bearer $RITA" -H 'Content-Type: application/json' \
  -d '{"action": "approved", "reason": "It only reads and writes text."}'`

let services: ReturnType<typeof spawn>
let registry = ''

// `npm ci` has already installed the packages of this test; the rest of the line is run unchanged.
beforeAll(async () => {
  expect(blocks[0]).toBe(started)
  services = spawn('bash', ['-c', started.replace('npm ci && ', '')], {
    cwd: root,
    env: environment,
    stdio: 'ignore',
    detached: true,
  })
  const deadline = Date.now() + 50_000
  while (registry === '') {
    try {
      registry = (JSON.parse(readFileSync(readyFile, 'utf8')) as { registry: string }).registry
    } catch {
      if (Date.now() > deadline) throw new Error('npm start was not ready in time')
      await delay(50)
    }
  }
})

afterAll(async () => {
  const ended = new Promise((resolve) => services.once('exit', resolve))
  process.kill(-(services.pid ?? 0), 'SIGTERM')
  await ended
  rmSync(home, { recursive: true, force: true })
})

const run = (scripts: readonly string[]): ReturnType<typeof runBlocks> =>
  runBlocks(
    scripts.map((script) => script.replaceAll('http://127.0.0.1:4280', registry)),
    { cwd: root, env: environment },
  )

test('the commands of the README publish a skill, install it and run it', async () => {
  const [publish = '', install = '', ...others] = blocks.filter(
    (block) => block !== started && block !== tested,
  )
  expect(others).toEqual([])
  const ran = await run([publish, approve, install])
  const outputs = ran.blocks.map(({ output }) => output)
  expect(ran.status, outputs.at(-1)).toBe(0)
  expect(outputs[0]).toContain('Submitted csv-to-json 1.0.0: pending')
  expect(outputs[1]).toBe('{"success":true}')
  expect(outputs[2]).toMatch(/csv-to-json 1\.0\.0 installed[^]*\{"id":"1","city":"Graz"\}/)
}, 60_000)

test('the commands of docs/OPERATIONS.md run in order and print what the text says', async () => {
  const ran = await run(operations)
  const outputs = ran.blocks.map(({ output }) => output)
  expect(ran.status, outputs.at(-1)).toBe(0)
  expect(outputs).toHaveLength(operations.length)
  expect(outputs[0]).toMatch(/^Usage: skilldock COMMAND[^]*rita[^]*^http:\/\/127\.0\.0\.1:\d+\/desk\//m)
}, 60_000)

test('the cron line makes a verified backup, and then deletes only those older than 30 days', async () => {
  const [, line = ''] = /^15 3 \* \* \* skilldock (.*)$/m.exec(operationsPage) ?? []
  const folder = join(home, 'backups')
  mkdirSync(folder)
  const day = 86_400
  for (const [name, days] of [
    ['old.tar', 32],
    ['recent.tar', 29],
  ] as const) {
    writeFileSync(join(folder, name), '')
    const changed = Date.now() / 1000 - days * day
    utimesSync(join(folder, name), changed, changed)
  }
  // cron turns an escaped percent sign into a plain one.
  const scriptFor = (data: string): string =>
    line
      .replaceAll('\\%', '%')
      .replaceAll('/srv/skilldock', root)
      .replaceAll('/var/lib/skilldock', data)
      .replaceAll('/var/backups/skilldock', folder)

  // cron mails what a command prints.
  const mailFor = async (data: string): Promise<string> =>
    (await run([scriptFor(data)])).blocks[0]?.output ?? ''

  expect(await mailFor(join(home, 'missing'))).toContain('missing')
  expect(readdirSync(folder)).toEqual(['old.tar', 'recent.tar'])
  expect(await mailFor(environment.SKILLDOCK_DATA)).toBe('')
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.tar$/), 'recent.tar'])
}, 60_000)

test('the example of an identity provider in docs/OPERATIONS.md is valid', () => {
  const [example = ''] = fencedBlocks(operationsPage, 'json')
  const { issuers } = JSON.parse(example) as { issuers: unknown }
  const [provider] = externalIssuersSchema.parse(issuers)
  expect(provider?.desk?.clientId).toBe('skilldock-desk')
})

test('the README has at most 600 words without its commands', () => {
  const text = readme.replaceAll(/^```[^]*?^```$/gm, '')
  expect(text.match(/\S+/g)?.length).toBeLessThanOrEqual(600)
})

test('the README shows the review screen in the theme of the reader', () => {
  expect([...readme.matchAll(/docs\/screens\/[\w-]+\.png/g)].map(([path]) => path)).toEqual([
    'docs/screens/review-dark.png',
    'docs/screens/review-light.png',
  ])
  expect(readme).toMatch(/<source media="\(prefers-color-scheme: dark\)" srcset="[^"]*review-dark\.png">/)
})

test('continuous integration runs the test command that the README names', () => {
  expect(blocks).toContain(tested)
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain(tested.trim())
})
