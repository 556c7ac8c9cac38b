// Tests the built module: node --test
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifest, runSkill } from './run-skill.mjs'

const gives = async (input, output) =>
  assert.deepEqual(await runSkill(input), { exitCode: 0, stdout: output, stderr: '' })

manifest.examples.forEach(({ input, output }, index) =>
  test(`example ${index + 1} of the manifest passes`, () => gives(input, output)),
)

test('the last line may end without a line ending', async () => {
  await gives('one\ntwo', '["one","two"]\n')
  await gives('one\ntwo\n', '["one","two"]\n')
})

test('empty lines are kept', () => gives('\n\none\n\n', '["","","one",""]\n'))

test('CR LF ends a line, but a carriage return alone does not', () =>
  gives('one\r\ntwo\r\r\n\rthree\r', String.raw`["one","two\r","\rthree\r"]` + '\n'))

test('every character is preserved', async () => {
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

test('there may be many lines', async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`)
  const { stdout } = await runSkill(lines.join('\n'))
  assert.deepEqual(JSON.parse(stdout), lines)
})

const notUtf8 = {
  'an invalid byte': [0xff],
  'a start byte beyond the last code point': [0xf5, 0x80, 0x80, 0x80],
  'a continuation byte on its own': [0x80],
  'an overlong form of two bytes': [0xc1, 0xbf],
  'an overlong form of three bytes': [0xe0, 0x9f, 0xbf],
  'an overlong form of four bytes': [0xf0, 0x8f, 0xbf, 0xbf],
  'half of a surrogate pair': [0xed, 0xa0, 0x80],
  'a code point beyond the last one': [0xf4, 0x90, 0x80, 0x80],
  'a character cut off by another': [0xf0, 0x9f, 0x61],
  'a character cut off by the end': [0xe2, 0x82],
}

for (const [what, bytes] of Object.entries(notUtf8)) {
  test(`${what} is rejected with its line number`, async () => {
    const { exitCode, stderr } = await runSkill(Buffer.from([...Buffer.from('one\ntwo\nthree '), ...bytes]))
    assert.equal(stderr, `${manifest.name}: line 3 is not UTF-8\n`)
    assert.equal(exitCode, 2)
  })
}

test('the line number is correct at the start of a line', async () => {
  const { stderr } = await runSkill(Buffer.from([0x0a, 0xff]))
  assert.equal(stderr, `${manifest.name}: line 2 is not UTF-8\n`)
})
