import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replaceFile } from './durable-files.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-files-'))
  path = join(folder, 'settings.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The file system calls of a child process that runs `script`, from Node's trace. */
function fileCalls(script: string): string[] {
  const trace = join(folder, 'trace.json')
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--trace-event-categories',
      'node.fs.sync,node.fs.async',
      '--trace-event-file-pattern',
      trace,
      '--input-type=module',
      '--eval',
      script,
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as {
    traceEvents: { cat: string; name: string; ph: string }[]
  }
  return traceEvents
    .filter(({ cat, ph }) => cat.includes('node.fs') && ph.toLowerCase() === 'b')
    .map(({ name }) => name.replace('fs.sync.', ''))
    .filter((name) => ['write', 'fsync', 'rename'].includes(name))
}

const durableFiles = JSON.stringify(join(import.meta.dirname, 'durable-files.ts'))

describe('the order of the calls', () => {
  test('replaceFile flushes the contents, renames, and flushes the folder', () => {
    const script = `import { replaceFile } from ${durableFiles}; replaceFile('settings.json', '{}')`
    expect(fileCalls(script)).toEqual(['write', 'fsync', 'rename', 'fsync'])
  })

  test('moveFile renames and flushes the folder', () => {
    writeFileSync(join(folder, 'a'), '')
    const script = `import { moveFile } from ${durableFiles}; await moveFile('a', 'b')`
    expect(fileCalls(script)).toEqual(['rename', 'fsync'])
  })
})

describe('replaceFile', () => {
  test('leaves only the file, with the given mode', () => {
    replaceFile(path, 'one')
    replaceFile(path, 'two', 0o640)
    expect(readdirSync(folder)).toEqual(['settings.json'])
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(statSync(path).mode & 0o777).toBe(0o640)
  })

  test('overwrites the leftovers of a killed process without keeping their mode or following their link', () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'untouched')
    symlinkSync(other, `${path}.new`)
    replaceFile(path, 'one')
    writeFileSync(`${path}.new`, 'half', { mode: 0o644 })
    replaceFile(path, 'two')
    expect(readFileSync(other, 'utf8')).toBe('untouched')
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).toSorted()).toEqual(['other', 'settings.json'])
  })

  test('changes nothing if it fails, and the error names the file', () => {
    mkdirSync(path)
    expect(() => replaceFile(path, 'one')).toThrow(expect.objectContaining({ code: 'EISDIR', path }))
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })
})
