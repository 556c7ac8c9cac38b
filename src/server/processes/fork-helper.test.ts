import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forkHelper } from './fork-helper.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-fork-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A process that reports what it may do. */
const about = `
  import { spawnSync } from 'node:child_process'
  import { readFileSync, writeFileSync } from 'node:fs'
  const refusal = (work) => { try { work(); return 'allowed' } catch (error) { return error.code } }
  process.send({
    environment: Object.keys(process.env),
    read: refusal(() => readFileSync(import.meta.filename)),
    write: refusal(() => writeFileSync(import.meta.filename + '.new', '')),
    start: refusal(() => spawnSync(process.execPath, ['--version'])),
  })`

test.each(['modules', 'images', 'agents'] as const)(
  'gets no environment of the server, reads files, and can neither write files nor start programs: %s',
  async (kind) => {
    const entry = join(folder, 'about.mjs')
    await writeFile(entry, about)
    const child = forkHelper(entry, kind)
    const answer = await new Promise((resolve) => child.onMessage(resolve))
    child.kill()
    expect(answer).toEqual({
      environment: ['MALLOC_ARENA_MAX'],
      read: 'allowed',
      write: 'ERR_ACCESS_DENIED',
      start: 'ERR_ACCESS_DENIED',
    })
  },
)
