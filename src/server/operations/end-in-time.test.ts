import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const entry = JSON.stringify(join(import.meta.dirname, 'end-in-time.ts'))

/** Runs a program that calls `endInTime(limitMs)` and then does `work`. */
async function runProgram(limitMs: number, work: string) {
  const program = `import { endInTime } from ${entry}; endInTime(${limitMs}); ${work}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = text(child.stderr)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return { code, signal, output: await output }
}

test('kills a process that does not stop in time, with a message', async () => {
  const { code, signal, output } = await runProgram(300, 'setInterval(() => {}, 1000)')
  expect([code, signal]).toEqual([null, 'SIGKILL'])
  expect(output).toContain('Skilldock did not stop within 0.3 s and was killed.')
})

test.skipIf(process.platform === 'win32')(
  'kills a process that waits for a file operation that never returns',
  async () => {
    const { code, signal } = await runProgram(
      300,
      // Nothing ever opens the other end of the pipe.
      `import { execFileSync } from 'node:child_process'
       import { mkdtempSync, open, rmSync } from 'node:fs'
       import { tmpdir } from 'node:os'
       import { join } from 'node:path'
       const folder = mkdtempSync(join(tmpdir(), 'skilldock-end-'))
       execFileSync('mkfifo', [join(folder, 'pipe')])
       open(join(folder, 'pipe'), 'r', () => {})
       setTimeout(() => rmSync(folder, { recursive: true }), 50)`,
    )
    expect([code, signal]).toEqual([null, 'SIGKILL'])
  },
)

test('a process that has nothing left to do exits on its own', async () => {
  const { code, signal, output } = await runProgram(60_000, '')
  expect([code, signal]).toEqual([0, null])
  expect(output).not.toContain('did not stop')
})
