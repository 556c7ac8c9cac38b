import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { askChild } from './ask-child.ts'
import type { JobRequest } from './job.ts'

// The children here are scripts that act like one taken over by a module.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skill-child-')))
afterAll(() => rmSync(folder, { recursive: true }))

const request: JobRequest = {
  job: { kind: 'inspect', manifest: null },
  module: new Uint8Array(100_000),
  stdin: Buffer.alloc(0),
}
const say = `const say = (kind, text) => {
  const head = Buffer.alloc(5)
  head.writeUInt8(kind)
  head.writeUInt32LE(text.length, 1)
  require('node:fs').writeSync(1, Buffer.concat([head, Buffer.from(text)]))
}
const [ready, progress, answer] = [0, 3, 4]
`

let count = 0
const ask = (
  script: string,
  options: { timeMs?: number; signal?: AbortSignal; onFrame?: () => void } = {},
) => {
  count += 1
  const program = join(folder, `${count}.cjs`)
  writeFileSync(program, say + script)
  return askChild(request, {
    schema: z.strictObject({ ok: z.literal(true) }),
    timeMs: 60_000,
    signal: new AbortController().signal,
    program,
    ...options,
  })
}

describe('a child', () => {
  test('answers once and is killed after that', async () => {
    expect(await ask(`say(ready, ''); say(answer, '{"ok":true}'); say(answer, '{}'); for (;;) {}`)).toEqual({
      kind: 'answer',
      answer: { ok: true },
    })
  })

  test.each([
    [`say(ready, ''); say(answer, '{"ok":true,"more":1}')`],
    [`say(ready, ''); say(answer, 'no JSON')`],
    [`say(ready, ''); say(77, ''); for (;;) {}`],
    [`console.log('hello, hello'); for (;;) {}`],
  ])('fails if it sends anything unexpected: %s', async (script) => {
    expect(await ask(script)).toMatchObject({ kind: 'failed' })
  })

  test('fails if the frame handler throws', async () => {
    const onFrame = (): never => {
      throw new Error('The child process sent too much data.')
    }
    expect(await ask(`say(ready, ''); say(progress, 'x'); for (;;) {}`, { onFrame })).toEqual({
      kind: 'failed',
      reason: 'The child process sent too much data.',
    })
  })

  test('fails with a reason if it ends without an answer', async () => {
    expect(await ask(`process.exit(3)`)).toEqual({
      kind: 'failed',
      reason: 'The child process exited with code 3.',
    })
    expect(await ask(`say(ready, ''); throw new TypeError('gone')`)).toEqual({
      kind: 'failed',
      reason: 'TypeError: gone',
    })
    expect(await ask(`say(ready, ''); const all = []; for (;;) all.push(new Array(1e5).fill({}))`)).toEqual({
      kind: 'failed',
      reason: 'The child process ran out of memory.',
    })
  })

  test.skipIf(process.platform !== 'linux')(
    'cannot exceed its memory limit outside the heap either (Linux only)',
    async () => {
      const script = `say(ready, ''); const all = []
        while (all.length < 40) all.push(Buffer.alloc(5e7, 1))
        say(answer, '{"ok":true}')`
      expect(await ask(script)).toEqual({
        kind: 'failed',
        reason: 'The child process ran out of memory.',
      })
    },
  )

  test('cannot extend its time limit by starting again', async () => {
    expect(await ask(`setInterval(() => say(ready, ''), 20)`, { timeMs: 500 })).toEqual({
      kind: 'time-limit',
    })
  })

  test('is killed when the signal is aborted, even before it has started', async () => {
    const controller = new AbortController()
    const result = ask(`say(ready, ''); say(progress, ''); for (;;) {}`, {
      signal: controller.signal,
      onFrame: () => controller.abort(),
    })
    await expect(result).rejects.toThrow('aborted')
    await expect(ask('', { signal: controller.signal })).rejects.toThrow('aborted')
  })
})
