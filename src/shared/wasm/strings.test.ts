import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleWat } from '../../../tests/support/fixtures/assemble-wat.ts'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { leb, moduleBytes, section } from '../../../tests/support/fixtures/wasm-bytes.ts'
import { readModule } from './read-module.ts'
import type { StringLimits, StringTable } from './strings.ts'
import { findStrings, stringAt, stringText } from './strings.ts'

const LIMITS: StringLimits = { known: 10_000, other: 10_000 }

const wide = (text: string): number[] => [...Buffer.from(text, 'utf16le')]
const narrow = (text: string): number[] => [...Buffer.from(text)]

const withData = (...segments: (readonly number[])[]): Uint8Array<ArrayBuffer> => {
  const passive = segments.map((contents) => [1, ...leb(contents.length), ...contents])
  return moduleBytes(section(11, [...leb(segments.length), ...passive.flat()]))
}

const tableOf = (bytes: Uint8Array, limits = LIMITS): StringTable => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  return findStrings(bytes, reading.module.sections, limits)
}

const allOf = (bytes: Uint8Array, limits = LIMITS) => {
  const table = tableOf(bytes, limits)
  return Array.from({ length: table.count }, (_, index) => {
    const found = stringAt(table, index)
    return { ...found, text: stringText(bytes, found) }
  })
}

/** `kind text` of all strings in one segment with these contents. */
const inData = (contents: string | number[]): string[] =>
  allOf(withData(typeof contents === 'string' ? narrow(contents) : contents)).map(
    ({ kind, text }) => `${kind} ${text}`,
  )

describe('strings of a module', () => {
  it('are runs of six or more characters in its data, each with its offset in the file', () => {
    const bytes = withData(narrow('short\0 longer\0'), narrow('\x01\x02naïveté\xff'))
    const found = allOf(bytes)
    expect(found.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['other  longer', 'other naïvetéÿ'])
    for (const { offset, length, text } of found) {
      expect(Buffer.from(bytes.subarray(offset, offset + length)).toString()).toBe(text)
    }
  })

  it('end where a segment ends, wherever the segment goes', async () => {
    const bytes = await assembleWat(`(module (memory 1)
      (data (i32.const 8) "first ") (data (i32.const 14) "second") (data "third ")
      (data (offset (i32.add (i32.const 1) (i32.const 2))) "fourth"))`)
    expect(allOf(bytes).map(({ text }) => text)).toEqual(['first ', 'second', 'third ', 'fourth'])
  })

  it('are not searched for in code and in custom sections', () => {
    const custom = [...leb(4), ...narrow('note'), ...narrow('http://example.org/')]
    expect(tableOf(moduleBytes(section(0, custom))).count).toBe(0)
  })

  it('may be UTF-16, as written by some compilers', () => {
    expect(allOf(withData([0x2a, 0, 0, 0, ...wide('go to http://a.example/b'), 0, 0]))).toEqual([
      { kind: 'address', offset: 29, length: 36, wide: true, text: 'http://a.example/b' },
      { kind: 'other', offset: 17, length: 48, wide: true, text: 'go to http://a.example/b' },
    ])
    expect(inData([...narrow('narrow'), ...wide('wide one')])).toEqual(['other narrow', 'other wide one'])
  })

  it('are still found if the segments cannot be parsed', () => {
    const bytes = moduleBytes(section(11, [9, 7, ...narrow('http://example.org/')]))
    expect(allOf(bytes).map(({ kind }) => kind)).toEqual(['address'])
  })

  it('are listed up to a limit and counted beyond it, with separate limits for matches and other text', () => {
    const bytes = withData(narrow(`${'any text\0'.repeat(9)}${'http://a.example\0'.repeat(9)}`))
    const table = tableOf(bytes, { known: 2, other: 3 })
    expect(table.count).toBe(5)
    expect(table.totals).toEqual({ address: 9, ip: 0, path: 0, base64: 0, other: 9 })
  })

  it('are cut between characters', () => {
    const [found] = allOf(withData(narrow('äöüäöüäöü')))
    expect(found && stringText(withData(narrow('äöüäöüäöü')), found, 5)).toBe('äö')
  })
})

describe('web addresses', () => {
  it.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['HTTP://EXAMPLE.ORG', 'HTTP://EXAMPLE.ORG'],
    ['wss://example.org:8443/socket', 'wss://example.org:8443/socket'],
    ['stratum://pool.example:3333', 'stratum://pool.example:3333'],
    ['https://bücher.example/ä', 'https://bücher.example/ä'],
  ])('%s', (text, address) => {
    expect(inData(text)).toEqual([`address ${address}`])
  })

  it('are found within text, without the text around them', () => {
    expect(inData('see "http://a.example/x", or not')).toContain('address http://a.example/x')
    expect(inData('unreachablehttps://a.example/\tnext')).toContain('address https://a.example/')
    expect(inData('It is at http://a.example/x. Then')).toContain('address http://a.example/x')
  })

  it('must have something after the slashes', () => {
    expect(inData('http:// and ://nothing, a://')).toEqual(['other http:// and ://nothing, a://'])
  })
})

describe('IP addresses', () => {
  it.each(['192.168.0.1', '10.0.0.255', '2001:db8::ff00:42:8329', 'fe80:1:2:3:4:5:6:7', '64:ff9b::c000:201'])(
    '%s',
    (text) => {
      expect(inData(`at ${text}, now`)).toEqual([`ip ${text}`, `other at ${text}, now`])
    },
  )

  it.each([
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    'v1.2.3.4',
    '1.2.3.4a',
    'std::fmt::add',
    'a::b::c::d',
    '12:30:45',
  ])('does not include %s', (text) => {
    expect(inData(`with ${text} in it`)).toEqual([`other with ${text} in it`])
  })
})

describe('paths', () => {
  it.each(['/etc/passwd', '~/notes', '../secret', './a.out', 'C:\\Users\\x', 'c:/temp', '\\\\host\\share'])(
    '%s',
    (text) => {
      expect(inData(`opens ${text}: done`)).toEqual([`path ${text}`, `other opens ${text}: done`])
    },
  )

  it.each(['and/or', '10 /s', '/ /', '...', 'a:\\', '// comment'])('does not include %s', (text) => {
    expect(inData(`has ${text} in it`)).toEqual([`other has ${text} in it`])
  })
})

describe('Base64', () => {
  const secret = Buffer.from(Array.from({ length: 60 }, (_, at) => (at * 97 + 13) % 256))

  it('of forty or more characters is found, in both alphabets and within text', () => {
    for (const text of [secret.toString('base64'), secret.toString('base64url')]) {
      expect(inData(text)).toEqual([`base64 ${text}`])
      expect(inData(`key "${text}" end`)[0]).toBe(`base64 ${text}`)
    }
    const readable = Buffer.from('This is a sentence that someone hides in base64.').toString('base64')
    expect(inData(readable)).toEqual([`base64 ${readable}`])
    expect(inData(secret.toString('base64').slice(0, 39))[0]).toMatch(/^other/)
  })

  it.each([
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    'a_name_of_a_function_that_is_really_quite_long_and_goes_on',
    'AddressInUseAddressNotAvailableNetworkUnreachable',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'A'.repeat(60),
  ])('does not include %s', (text) => {
    expect(inData(text)).toEqual([`other ${text}`])
  })
})

describe('hostile data', () => {
  const anything = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((bytes) => [...bytes]),
      fc
        .constantFrom(
          'http://',
          '://',
          '1.2.3.4',
          '::',
          'ab:',
          '/etc/',
          'C:\\',
          '\\\\',
          '..',
          '~/',
          'é',
          '😀',
          '=',
          'aB3',
        )
        .map(narrow),
      fc.constantFrom('wide one', 'x', '://').map(wide),
      fc.constantFrom([0], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc2, 0x80], [0xff]),
    ),
    { maxLength: 40 },
  )

  it('never makes the scan fail, and every string is within its segment and is text', () => {
    fc.assert(
      fc.property(anything, (pieces) => {
        const contents = pieces.flat()
        const bytes = withData(contents)
        const start = bytes.length - contents.length
        for (const { offset, length, text } of allOf(bytes)) {
          expect(offset).toBeGreaterThanOrEqual(start)
          expect(offset + length).toBeLessThanOrEqual(bytes.length)
          expect(text.replaceAll('\t', '')).not.toMatch(/\uFFFD|\p{Cc}/u)
        }
      }),
      { numRuns: 3000, seed: 20_261_121 },
    )
  })

  it.each([
    'http://',
    '://',
    'a://',
    '1.',
    '1.1.1.1',
    'a:',
    '::',
    'aB3',
    'aB3/',
    '/',
    '/a',
    '\\',
    'C:\\',
    '..',
    'a',
    '\0a\0b',
    'a\0',
    'é',
    'aB3=',
    ':',
    'abcdef\0',
    'a://b\0c',
    '-_+/',
  ])('that repeats %j is scanned in linear time', (piece) => {
    const of = (size: number): Uint8Array => {
      const contents = Buffer.alloc(size, piece)
      const head = [1, 1, ...leb(size)]
      return Uint8Array.from(
        Buffer.concat([moduleBytes(), Buffer.from([11, ...leb(size + head.length), ...head]), contents]),
      )
    }
    const bytes = of(1024 * 1024)
    // About 20 ms if it is linear, minutes if it is not.
    expect(cpuTimeOf(() => tableOf(bytes))).toBeLessThan(1000)
  })
})
