import { expect, test } from 'vitest'
import { readManifestFile, readModuleFile, sortFiles } from './picked-files.ts'

const file = (name: string, content: string | Uint8Array<ArrayBuffer> = 'x'): File =>
  new File([content], name)

const manifest = {
  schemaVersion: 1,
  name: 'upper-case',
  version: '1.0.0',
  description: 'Turns every letter into its capital.',
  readme: '# upper-case\n\nReads text and writes it in capitals.',
  inputs: 'Text in UTF-8 on standard input.',
  outputs: 'The same text in capitals.',
  examples: [{ input: 'abc\r\n', output: 'ABC' }],
  license: 'MIT',
  category: 'Transformers',
  runtime: 'wasip1-command',
  entrypoint: '_start',
  pricing: 'free',
}

test('dropped files are assigned by extension, one of each', () => {
  const [json, wasm] = [file('Manifest.JSON'), file('skill.wasm')]
  expect(sortFiles([wasm, json])).toEqual({ manifest: json, module: wasm, complaint: null })
  expect(sortFiles([json])).toEqual({ manifest: json, module: null, complaint: null })
  expect(sortFiles([json, file('b.json'), wasm])).toMatchObject({
    manifest: null,
    module: wasm,
    complaint: 'You dropped 2 .json files. Drop only one of them.',
  })
  expect(sortFiles([file('readme.md'), wasm])).toMatchObject({
    module: wasm,
    complaint: 'readme.md is neither a .json file nor a .wasm file.',
  })
})

test('a manifest is sent without line breaks, which a form would double, and means the same', async () => {
  const mark = '\uFEFF'
  const read = await readManifestFile(
    file('m.json', mark + JSON.stringify(manifest, null, 2).replaceAll('\n', '\r\n')),
  )
  expect(read).toMatchObject({ problems: [], manifest: { name: 'upper-case', version: '1.0.0' } })
  expect(read.text).not.toMatch(/[\r\n]/)
  expect(JSON.parse(read.text ?? '')).toEqual(manifest)
})

test('a manifest that the registry would reject is rejected here, with the same fields', async () => {
  const { name: _, ...nameless } = manifest
  expect(await readManifestFile(file('m.json', JSON.stringify(nameless)))).toEqual({
    fileName: 'm.json',
    text: null,
    manifest: null,
    problems: [{ path: 'name', message: 'is missing' }],
  })
  const twice = JSON.stringify(manifest).replace('{', '{"name":"other",')
  expect((await readManifestFile(file('m.json', twice))).problems).toEqual([
    { path: 'name', message: 'appears twice; keep one' },
  ])
  const binary = await readManifestFile(file('m.json', Uint8Array.of(0x7b, 0xff, 0x7d)))
  expect(binary.problems[0]?.message).toContain('UTF-8')
  const long = await readManifestFile(file('m.json', 'x'.repeat(25_604)))
  expect(long.problems[0]?.message).toBe('is 25,604 bytes; the limit is 25,600 bytes')
})

test('a module is read completely and hashed', async () => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
  const read = await readModuleFile(file('a.wasm', empty))
  expect(read).toMatchObject({
    size: 8,
    problem: null,
    sha256: '93a44bbb96c751218e4c00d479e4c14358122a389acca16205b1e4d0dc5f9476',
  })
  expect(new Uint8Array(await (read.bytes ?? new Blob()).arrayBuffer())).toEqual(empty)
})

test('files that cannot be modules are rejected', async () => {
  const problem = async (content: string | Uint8Array<ArrayBuffer>): Promise<string | null> => {
    const read = await readModuleFile(file('a.wasm', content))
    expect([read.bytes, read.sha256]).toEqual([null, null])
    return read.problem
  }
  expect(await problem('')).toBe('The file is 0 bytes; a module is at least 8 bytes.')
  expect(await problem('(module (func))')).toContain('not a WebAssembly module')
  expect(await problem(new Uint8Array(16_777_217))).toContain('the limit is 16,777,216 bytes')
})
