// Runs the module that was built: node --test
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, runSkill } from './run-skill.mjs'

const gives = async (input, output) =>
  assert.deepEqual(await runSkill(input), { exitCode: 0, stdout: output, stderr: '' })

manifest.examples.forEach(({ input, output }, index) =>
  test(`example ${index + 1} of the manifest is true`, () => gives(input, output)),
)

test('a last line may go without a line end', async () => {
  await gives('one\ntwo', '["one","two"]\n')
  await gives('one\ntwo\n', '["one","two"]\n')
})

test('empty lines count', () => gives('\n\none\n\n', '["","","one",""]\n'))

test('CR LF ends a line, and a carriage return alone is part of it', () =>
  gives('one\r\ntwo\r\r\n\rthree\r', String.raw`["one","two\r","\rthree\r"]` + '\n'))

test('every character comes through', async () => {
  const characters =
    String.fromCharCode(...Array(256).keys()).replace('\n', '') + 'ß漢\u2028\uFEFF🦀\u{10FFFF}'
  const { stdout } = await runSkill(characters)
  assert.deepEqual(JSON.parse(stdout), [characters])
})

test('a line may be longer than any buffer', async () => {
  const line = 'naïve 🦀 "quoted" \\ '.repeat(200_000)
  const { exitCode, stdout } = await runSkill(line)
  assert.equal(exitCode, 0)
  assert.deepEqual(JSON.parse(stdout), [line])
})

test('lines may be many', async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`)
  const { stdout } = await runSkill(lines.join('\n'))
  assert.deepEqual(JSON.parse(stdout), lines)
})

const notUtf8 = {
  'a byte that begins nothing': [0xff],
  'a byte that would begin a number past the last character': [0xf5, 0x80, 0x80, 0x80],
  'a byte that only continues': [0x80],
  'a form of two bytes where one is enough': [0xc1, 0xbf],
  'a form of three bytes where two are enough': [0xe0, 0x9f, 0xbf],
  'a form of four bytes where three are enough': [0xf0, 0x8f, 0xbf, 0xbf],
  'half of a surrogate pair': [0xed, 0xa0, 0x80],
  'a number past the last character': [0xf4, 0x90, 0x80, 0x80],
  'a character that is cut by another': [0xf0, 0x9f, 0x61],
  'a character that is cut by the end': [0xe2, 0x82],
}

for (const [what, bytes] of Object.entries(notUtf8)) {
  test(`${what} is refused, with its line`, async () => {
    const { exitCode, stderr } = await runSkill(Buffer.from([...Buffer.from('one\ntwo\nthree '), ...bytes]))
    assert.equal(stderr, `${manifest.name}: line 3 is not UTF-8\n`)
    assert.equal(exitCode, 2)
  })
}

test('the line of an error is also right where the line has just begun', async () => {
  const { stderr } = await runSkill(Buffer.from([0x0a, 0xff]))
  assert.equal(stderr, `${manifest.name}: line 2 is not UTF-8\n`)
})
