import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fencedBlocks } from './support/client/shell-blocks.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = fencedBlocks(readme, 'sh')
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

async function runInBash(script: string): Promise<{ status: number | null; output: string }> {
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: root, env: environment })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => shell.once('close', resolve))
  return { status, output }
}

test('the commands of the README run in order and print what the text says', async () => {
  const journey = blocks.filter((block) => block !== started && block !== tested)
  expect(journey.length).toBeGreaterThanOrEqual(5)
  const script = journey
    .join('\n')
    .replaceAll('http://127.0.0.1:4280', registry)
    .replaceAll(/-o ([\w-]+\.wasm)/g, `-o ${home}/$1`)
    .replaceAll('$SHA256  ', `$SHA256  ${home}/`)
  const { status, output } = await runInBash(script)
  expect(output).toContain('"status":"pending"')
  expect(output).toContain('Submitted rot13 1.0.0: pending')
  expect(output).toContain('{"success":true}')
  expect(output).toContain('csv-to-json.wasm: OK')
  expect(output).toMatch(/404$/m)
  expect(status, output).toBe(0)
}, 60_000)

test('the steps for GitHub Actions match the example', () => {
  const steps = fencedBlocks(readme, 'yaml')
  const example = readFileSync(join(root, 'docs/examples/publish-skill.yml'), 'utf8')
  expect(steps).toHaveLength(1)
  expect(example.endsWith(steps[0] ?? '-')).toBe(true)
})

test('continuous integration runs the test command that the README names', () => {
  expect(blocks).toContain(tested)
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain(tested.trim())
})
