import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { acquireFileLock } from '../db/file-lock.ts'
import { makeWorkFolder } from './work-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-work-folders-'))
afterAll(() => rmSync(folder, { recursive: true }))

const parentFolder = (): string => mkdtempSync(join(folder, 'parent-'))

/** Makes, uses and removes folders, as a process of its own, and fails if one is taken away. */
const program = `
  import { readFileSync, writeFileSync } from 'node:fs'
  const { makeWorkFolder } = await import(process.argv[1])
  for (let n = 0; n < 200; n += 1) {
    const work = makeWorkFolder(process.argv[2], 'work-')
    writeFileSync(work.path + '/file', 'mine')
    if (readFileSync(work.path + '/file', 'utf8') !== 'mine') process.exit(1)
    work.remove()
  }`

describe('a work folder', () => {
  test('is never taken from a process by another one that starts at the same moment', async () => {
    const parent = parentFolder()
    const run = promisify(execFile)
    const values = [join(import.meta.dirname, 'work-folder.ts'), parent]
    const runs = ['a', 'b', 'c', 'd'].map(() =>
      run(process.execPath, ['--input-type=module', '--eval', program, ...values]),
    )
    await expect(Promise.all(runs)).resolves.toHaveLength(4)
    expect(readdirSync(parent)).toEqual([])
  })

  test('left by a killed process is removed by the next one, but not one in use', () => {
    const parent = parentFolder()
    mkdirSync(join(parent, 'work-killed'))
    writeFileSync(join(parent, 'work-killed', 'half.tar'), 'half')
    acquireFileLock(join(parent, 'work-killed', 'lock'), 0)?.release()
    const first = makeWorkFolder(parent, 'work-')
    const second = makeWorkFolder(parent, 'work-')
    expect(readdirSync(parent)).toHaveLength(2)
    first.remove()
    second.remove()
    expect(readdirSync(parent)).toEqual([])
  })
})
