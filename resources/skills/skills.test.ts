import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { categories, skillManifestSchema } from '../../src/shared/contracts/manifest.ts'
import { skipWithout } from '../../tests/support/programs.ts'
import { runSkill, type SkillRun } from '../../tests/support/client/run-skill.ts'
import { buildSkill, findSkill, listSkills, stampOf } from './build.ts'

const folder = mkdtempSync(join(tmpdir(), 'skilldock-skills-'))
afterAll(() => rmSync(folder, { recursive: true }))

const moduleFile = (name: string): string => join(folder, `${name}.wasm`)

const run = async (name: string, stdin: string | Uint8Array): Promise<SkillRun> =>
  runSkill(await readFile(moduleFile(name)), stdin)

const done = (stdout: string): SkillRun => ({ exitCode: 0, stdout, stderr: '' })

const MEGABYTE = 1_000_000

const describeSkill = (name: string, tests: () => void): void => {
  const needsC = findSkill(name).step.extension === '.c'
  describe.skipIf(needsC && skipWithout('clang'))(name, () => {
    beforeAll(() => buildSkill(name, moduleFile(name)))

    test('is a WASI command with a valid manifest', async () => {
      const manifest = skillManifestSchema.parse(
        JSON.parse(await readFile(findSkill(name).manifestFile, 'utf8')),
      )
      expect(manifest.name).toBe(name)
      const module = await WebAssembly.compile(await readFile(moduleFile(name)))
      const exported = WebAssembly.Module.exports(module)
      expect(exported).toContainEqual({ name: '_start', kind: 'function' })
      expect(exported).toContainEqual({ name: 'memory', kind: 'memory' })
      const imported = WebAssembly.Module.imports(module)
      expect(new Set(imported.map((one) => one.module))).toEqual(new Set(['wasi_snapshot_preview1']))
      expect(imported.map((one) => one.name).toSorted()).toEqual(['fd_read', 'fd_write', 'proc_exit'])
    })

    test('behaves as the examples in its manifest say', async () => {
      const { examples } = skillManifestSchema.parse(
        JSON.parse(await readFile(findSkill(name).manifestFile, 'utf8')),
      )
      const runs = await Promise.all(examples.map(({ input }) => run(name, input)))
      expect(runs).toEqual(examples.map(({ output }) => done(output)))
    })

    tests()
  })
}

test('the skills cover three languages, with two skills per category', async () => {
  const skills = listSkills()
  const manifests = await Promise.all(skills.map(({ manifestFile }) => readFile(manifestFile, 'utf8')))
  const counts = Object.fromEntries(categories.map((category) => [category, 0]))
  for (const text of manifests) {
    const { category } = skillManifestSchema.parse(JSON.parse(text))
    counts[category] = (counts[category] ?? 0) + 1
  }
  expect(counts).toEqual(Object.fromEntries(categories.map((category) => [category, 2])))
  expect(new Set(skills.map(({ step }) => step.extension))).toEqual(new Set(['.as', '.c', '.wat']))
})

describe.each(listSkills())(
  'the committed module of $name',
  ({ name, committedFile, manifestFile, step }) => {
    test('was built from the current source', async () => {
      expect(await readFile(`${committedFile}.source-sha256`, 'utf8')).toBe(await stampOf(name))
    })

    test('behaves as the examples in the manifest say', async () => {
      const bytes = await readFile(committedFile)
      const { examples } = skillManifestSchema.parse(JSON.parse(await readFile(manifestFile, 'utf8')))
      const runs = await Promise.all(examples.map(({ input }) => runSkill(bytes, input)))
      expect(runs).toEqual(examples.map(({ output }) => done(output)))
    })

    // Different versions of clang may produce different modules; the other two compilers are pinned.
    if (step.extension === '.c') return
    test('is byte for byte the output of a new build', async () => {
      await buildSkill(name, moduleFile(name))
      expect((await readFile(moduleFile(name))).equals(await readFile(committedFile))).toBe(true)
    })
  },
)

describeSkill('csv-to-json', () => {
  test.each([
    ['empty input', '', '[]\n'],
    ['blank lines only', '\r\n\n', '[]\n'],
    ['no line feed at the end', 'a,b\n1,2', '[\n  {"a":"1","b":"2"}\n]\n'],
    ['CR LF', 'a,b\r\n1,2\r\n', '[\n  {"a":"1","b":"2"}\n]\n'],
    ['blank lines between rows', '\na\n\n1\n\n2\n', '[\n  {"a":"1"},\n  {"a":"2"}\n]\n'],
    ['UTF-8 and a byte order mark', '\uFEFFnaïve,🦀\né,漢\n', '[\n  {"naïve":"é","🦀":"漢"}\n]\n'],
    ['an empty quoted field', 'a,b\n"",""\n', '[\n  {"a":"","b":""}\n]\n'],
    ['control characters', 'a\n"\t\u0001\\"\n', '[\n  {"a":"\\t\\u0001\\\\"}\n]\n'],
  ])('reads %s', async (_what, input, output) => {
    expect(await run('csv-to-json', input)).toEqual(done(output))
  })

  test.each([
    ['an unclosed quote', 'a\n"x\n\n', 'line 2: a quoted field is not closed'],
    ['text after a closing quote', 'a\n"x"y\n', 'line 2: text after the closing quote of a field'],
    ['a quote in an unquoted field', 'a\nx"y\n', 'line 2: a quote inside an unquoted field'],
    ['too few fields', 'a,b\n1,2\n3\n', 'line 3: the row has fewer fields than the header'],
    ['too many fields', 'a,b\n"1\n",2,3\n', 'line 2: the row has more fields than the header'],
    ['a duplicate name', 'a,b,a\n', 'line 1: two columns have the same name'],
    ['a lone carriage return', 'a\rb', 'line 1: a carriage return without a line feed'],
    ['invalid UTF-8', new Uint8Array([97, 10, 0xed, 0xa0, 0x80]), 'line 2: the input is not UTF-8'],
    ['a truncated character', new Uint8Array([97, 10, 0xe2, 0x82]), 'line 2: the input is not UTF-8'],
  ])('refuses %s without output', async (_what, input, reason) => {
    expect(await run('csv-to-json', input)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `csv-to-json: ${reason}\n`,
    })
  })

  test('reads a megabyte', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => ({
      id: String(i),
      text: `row "${i}", of\r\nmany é`,
    }))
    const csv = rows.map(({ id, text }) => `${id},"${text.replaceAll('"', '""')}"\r\n`)
    const input = `id,text\r\n${csv.join('')}`
    expect(input.length).toBeGreaterThan(MEGABYTE)
    const { exitCode, stdout } = await run('csv-to-json', input)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual(rows)
  })
})

const counted = (lines: number, words: number, characters: number, bytes: number): SkillRun =>
  done(`${JSON.stringify({ lines, words, characters, bytes })}\n`)

describeSkill('word-count', () => {
  test.each([
    ['empty input', '', counted(0, 0, 0, 0)],
    ['empty lines', '\n\n', counted(2, 0, 2, 2)],
    ['CR LF', 'a b\r\nc\r\n', counted(2, 3, 8, 8)],
    ['UTF-8 of every length', 'é漢🦀 x', counted(1, 2, 5, 11)],
    ['whitespace beyond ASCII', 'a\u00A0b\u3000c\u2028d\u200Be', counted(1, 4, 9, 16)],
  ])('counts %s', async (_what, input, expected) => {
    expect(await run('word-count', input)).toEqual(expected)
  })

  test.each([
    ['an invalid first byte', [97, 0xff], 2],
    ['a lone continuation byte', [0x80], 1],
    ['a surrogate', [0xed, 0xa0, 0x80], 3],
    ['an overlong character', [0xe0, 0x80, 0xaf], 3],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 4],
    ['a truncated character', [97, 0xe2, 0x82], 3],
  ])('refuses %s', async (_what, bytes, place) => {
    expect(await run('word-count', new Uint8Array(bytes))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `word-count: the input is not UTF-8 (byte ${place})\n`,
    })
  })

  test('counts a megabyte', async () => {
    // Seven bytes per line, so that characters cross the boundaries between reads.
    expect(await run('word-count', 'ab é 漢\n'.repeat(100_000))).toEqual(
      counted(100_000, 300_000, 700_000, 1_000_000),
    )
  })
})

describeSkill('base64-encode', () => {
  test.each([
    ['empty input', ''],
    ['CR LF', 'a\r\nb\r\n'],
    ['UTF-8', 'naïve 漢 🦀'],
    ['every byte', Uint8Array.from({ length: 256 }, (_, i) => i)],
    ['one chunk less a byte', new Uint8Array(49_151).fill(0xfb)],
    ['one chunk', new Uint8Array(49_152).fill(0xfb)],
    ['one chunk plus a byte', new Uint8Array(49_153).fill(0xfb)],
    ['two chunks', new Uint8Array(98_304).fill(0xfb)],
    ['a megabyte', Uint8Array.from({ length: MEGABYTE }, (_, i) => i * 31)],
  ])('encodes %s', async (_what, input) => {
    const expected = Buffer.from(input).toString('base64')
    expect(await run('base64-encode', input)).toEqual(done(expected === '' ? '' : `${expected}\n`))
  })
})

describeSkill('luhn-check', () => {
  test('agrees with a straightforward implementation', async () => {
    const numbers = Array.from({ length: 2000 }, (_, i) => String(i * 7919 + 10))
    const answers = numbers.map((number) => (luhn(number) ? 'valid\n' : 'invalid\n'))
    expect(await run('luhn-check', numbers.join('\n'))).toEqual(done(answers.join('')))
  })

  test.each([
    ['empty input', '', ''],
    ['empty lines', '\n\r\n \n', ''],
    ['one digit', '0\n', 'invalid\n'],
    ['zeros', '00\n', 'valid\n'],
  ])('reads %s', async (_what, input, output) => {
    expect(await run('luhn-check', input)).toEqual(done(output))
  })

  test('refuses letters', async () => {
    expect(await run('luhn-check', '12a')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'luhn-check: the input contains something other than digits, spaces, hyphens and line ends\n',
    })
  })
})

describeSkill('isbn-check', () => {
  test.each([
    ['an X in the middle', '08044X9570', 'invalid'],
    ['an X at the end of thirteen', '978030640615X', 'invalid'],
    ['a lowercase x', '080442957x', 'isbn-10'],
    ['one digit too few', '030640615', 'invalid'],
    ['one digit too many', '97803064061570', 'invalid'],
    ['979', '979-10-90636-07-1', 'isbn-13'],
  ])('classifies %s', async (_what, input, answer) => {
    expect(await run('isbn-check', `${input}\r\n`)).toEqual(done(`${answer}\n`))
  })

  test.each(['12:4', '080442957X:', 'ISBN 1'])('refuses %s', async (input) => {
    expect((await run('isbn-check', input)).exitCode).toBe(2)
  })
})

describeSkill('roman-to-decimal', () => {
  test('reads every numeral from 1 to 3999', async () => {
    const numbers = Array.from({ length: 3999 }, (_, i) => i + 1)
    expect(await run('roman-to-decimal', numbers.map(roman).join('\n'))).toEqual(
      done(`${numbers.join('\n')}\n`),
    )
  })

  test.each(['IIII', 'IC', 'VX', 'VV', 'CMC', 'MMMM', 'IXI', 'XIVI', '12', 'X X', 'I'.repeat(40)])(
    'refuses %s',
    async (input) => {
      expect(await run('roman-to-decimal', input)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: 'roman-to-decimal: a line is not a Roman numeral from I to MMMCMXCIX\n',
      })
    },
  )
})

describeSkill('rot13', () => {
  test('changes only letters, and restores the text when run twice', async () => {
    const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, i) => i))
    const text = ascii.repeat(300)
    const once = await run('rot13', text)
    expect(once.stdout.slice(0, 65)).toBe(ascii.slice(0, 65))
    expect(once.stdout.slice(65, 91)).toBe('NOPQRSTUVWXYZABCDEFGHIJKLM')
    expect(await run('rot13', once.stdout)).toEqual(done(text))
  })
})

describeSkill('crc32', () => {
  test.each([0, 1, 16_383, 16_384, 16_385, MEGABYTE])('agrees with zlib on %d bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 31)
    expect(await run('crc32', bytes)).toEqual(done(`${crc32(bytes).toString(16).padStart(8, '0')}\n`))
  })
})

describeSkill('tsv-to-csv', () => {
  test.each([
    ['empty input', '', ''],
    ['an empty line', '\n', '""\n'],
    ['no line break', 'a', '"a"\n'],
    ['a carriage return inside', 'a\rb\r\n', '"a\rb"\n'],
    ['two carriage returns', 'a\r\r\n', '"a\r"\n'],
    ['a megabyte', 'é\t"\n'.repeat(200_000), '"é",""""\n'.repeat(200_000)],
  ])('converts %s', async (_what, input, output) => {
    expect(await run('tsv-to-csv', input)).toEqual(done(output))
  })
})

describeSkill('json-minify', () => {
  test('preserves the parsed value', async () => {
    const value = { 'a " b': ['\\', '\\"', ' \t\n', 1e21, null, true, {}], é: ' ' }
    expect(await run('json-minify', JSON.stringify(value, null, '\t'))).toEqual(
      done(`${JSON.stringify(value)}\n`),
    )
  })

  test('refuses an unclosed string', async () => {
    expect((await run('json-minify', '["a\\"')).exitCode).toBe(2)
  })
})

describeSkill('hex-dump', () => {
  test.each([0, 1, 8, 15, 16, 17, 5000])('prints %d bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7)
    const { stdout } = await run('hex-dump', bytes)
    const lines = stdout.split('\n').slice(0, -1)
    const shown = lines.slice(0, -1).map((line) => line.slice(10, 58).replaceAll(' ', ''))
    expect(shown.join('')).toBe(Buffer.from(bytes).toString('hex'))
    expect(lines.at(-1) ?? '00000000').toBe(length.toString(16).padStart(8, '0'))
  })
})

describeSkill('unix-time', () => {
  test('agrees with the calendar of JavaScript', async () => {
    const seconds = Array.from({ length: 5000 }, (_, i) => i * 50_680_460 + (i % 86_400))
    const times = seconds.map((second) => `${new Date(second * 1000).toISOString().slice(0, 19)}Z\n`)
    expect(seconds.at(-1)).toBeLessThan(253_402_300_800)
    expect(await run('unix-time', seconds.join('\n'))).toEqual(done(times.join('')))
  })

  test.each(['-1', '1.5', '253402300800', '99999999999999999999'])('refuses %s', async (input) => {
    expect((await run('unix-time', input)).exitCode).toBe(2)
  })
})

const luhn = (number: string): boolean => {
  const digits = [...number].toReversed().map(Number)
  const sum = digits.reduce((all, digit, i) => all + (i % 2 === 0 ? digit : (digit * 2) % 9 || digit), 0)
  return sum % 10 === 0
}

const roman = (number: number): string => {
  const places = [
    ['', 'M', 'MM', 'MMM'],
    ['', 'C', 'CC', 'CCC', 'CD', 'D', 'DC', 'DCC', 'DCCC', 'CM'],
    ['', 'X', 'XX', 'XXX', 'XL', 'L', 'LX', 'LXX', 'LXXX', 'XC'],
    ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'],
  ]
  const digits = [...String(number).padStart(4, '0')].map(Number)
  return places.map((place, i) => place[digits[i] ?? 0]).join('')
}

describe('building', () => {
  test('does not rebuild a module until its source has changed', async () => {
    const file = moduleFile('built-once')
    await buildSkill('base64-encode', file)
    const built = await readFile(file)
    // A modification time in the past shows whether the file is rewritten, whatever the clock's resolution.
    await utimes(file, 0, 0)
    await buildSkill('base64-encode', file)
    expect((await stat(file)).mtimeMs).toBe(0)
    await writeFile(`${file}.source-sha256`, 'of another source')
    await buildSkill('base64-encode', file)
    expect((await stat(file)).mtimeMs).toBeGreaterThan(0)
    expect(await readFile(file)).toEqual(built)
  })

  test('names the missing packages if there is no compiler', async () => {
    const path = process.env['PATH']
    process.env['PATH'] = folder
    try {
      await expect(buildSkill('csv-to-json', moduleFile('never'))).rejects.toThrow(
        'apt-get install -y clang lld wasi-libc libclang-rt-dev-wasm32',
      )
    } finally {
      process.env['PATH'] = path
    }
  })

  test('rejects an unknown skill', async () => {
    await expect(buildSkill('no-such-skill', moduleFile('never'))).rejects.toThrow('no-such-skill')
  })
})
