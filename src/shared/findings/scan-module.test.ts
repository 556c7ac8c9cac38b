import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { leb, moduleBytes, section } from '../../../tests/support/fixtures/wasm-bytes.ts'
import { readModule } from '../wasm/read-module.ts'
import { markKinds, shownMarks } from './marks.ts'
import { moduleScanSchema } from './module-scan.ts'
import type { MarkKind } from './marks.ts'
import type { ModuleScan } from './module-scan.ts'
import { scanModule } from './scan-module.ts'

const narrow = (text: string): Buffer => Buffer.from(text, 'latin1')
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

/** A module with these passive segments. */
const withData = (...segments: Buffer[]): Uint8Array<ArrayBuffer> => {
  const passive = segments.map((contents) =>
    Buffer.concat([Buffer.from([1, ...leb(contents.length)]), contents]),
  )
  const contents = Buffer.concat([Buffer.from(leb(segments.length)), ...passive])
  return Uint8Array.from(Buffer.concat([moduleBytes(), Buffer.from([11, ...leb(contents.length)]), contents]))
}

const scan = (bytes: Uint8Array): ModuleScan => {
  const reading = readModule(bytes)
  if (!reading.ok) throw new Error(reading.problem.message)
  const found = scanModule(bytes, reading.module.sections)
  expect(moduleScanSchema.parse(found)).toEqual(found)
  return found
}

/** `kind text` of all shown marks. */
const shown = (...segments: (string | Buffer)[]): string[] => {
  const bytes = withData(
    ...segments.map((segment) => (typeof segment === 'string' ? narrow(segment) : segment)),
  )
  const found = scan(bytes)
  return markKinds.flatMap((kind) => found[kind].shown.map(({ text }) => `${kind} ${text}`))
}

/** Deterministic bytes that look random. */
const noise = (length: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
      createHash('sha256').update(String(at)).digest(),
    ),
  ).subarray(0, length)

const base64Of = (length: number): string => noise(length).toString('base64').slice(0, length)

describe('addresses in data', () => {
  it.each([
    'https://example.org/a',
    'wss://a.example:8443/x',
    'http://www.w3.org@evil.example/',
    'http://10.0.0.1/',
  ])('%s', (address) => {
    expect(shown(`get ${address} now`)).toContain(`address ${address}`)
    expect(shown(wide(`get ${address} now`))).toContain(`address ${address}`)
  })

  it.each([
    'http://www.w3.org/2000/svg',
    'https://docs.rs/getrandom',
    'http://localhost:80/',
    'http://127.0.0.1/',
  ])('do not include %s, which is common in programs', (address) =>
    expect(shown(`get ${address} now`)).toEqual([]),
  )
})

describe('IP addresses in data', () => {
  it('are reported, except loopback, unspecified and broadcast addresses', () => {
    expect(shown('to 203.0.113.7 and 2001:db8::ff00:42:8329')).toEqual([
      'ip 203.0.113.7',
      'ip 2001:db8::ff00:42:8329',
    ])
    expect(shown('to 127.0.0.1, 127.1.2.3, 0.0.0.0, 255.255.255.0 and ::1')).toEqual([])
  })
})

describe('Base64 in data', () => {
  it('is reported from 256 characters on, of one or two bytes each', () => {
    const text = base64Of(256)
    expect(shown(text)).toEqual([`base64 ${text.slice(0, 160)}…`])
    expect(shown(wide(text))).toEqual([`base64 ${text.slice(0, 160)}…`])
    expect(shown(text.slice(1))).toEqual([])
  })
})

describe('secrets in data', () => {
  it.each([
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----', 'a private key'],
    ['-----BEGIN PRIVATE KEY-----\nMIIEow', 'a private key'],
    [`key=AKIA${'A1'.repeat(8)};`, 'an AWS access key'],
    [`ghp_${'aB3'.repeat(12)}`, 'a GitHub token'],
    [`glpat-${'a1'.repeat(10)}`, 'a GitLab token'],
  ])('%j', (text, is) => {
    expect(shown(`x ${text}`)).toEqual([`secret ${is}`])
    expect(shown(wide(`x ${text}`))).toEqual([`secret ${is}`])
  })

  it.each([
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN PRIVATE KEYS',
    'AKIA is short',
    'ghp_token',
    '-----BEGIN',
  ])('do not include %j', (text) => {
    expect(shown(text)).toEqual([])
  })
})

describe('sensitive paths in data', () => {
  it.each(['/etc/passwd', '.ssh/id_rsa', '/bin/sh'])('%s', (path) => {
    expect(shown(`open ${path}, then`)).toEqual([`path ${path}`])
    expect(shown(wide(`open ${path}, then`))).toEqual([`path ${path}`])
  })

  it.each(['/usr/share/zoneinfo', '/root/.cargo/registry/src/x.rs', './input.txt', '/etc/hosts'])(
    'do not include %s',
    (path) => {
      expect(shown(`open ${path}, then`)).toEqual([])
    },
  )
})

describe('programs in data', () => {
  const windows = Buffer.alloc(200)
  windows.write('MZ')
  windows.writeUInt32LE(0x80, 0x3c)
  windows.write('PE\0\0', 0x80, 'latin1')

  it.each<[string, Buffer]>([
    ['a WebAssembly module', Buffer.from(moduleBytes())],
    ['a Linux program', narrow('\x7fELF\x02\x01')],
    ['a Windows program', windows],
    ['a shell script', narrow('#!/bin/sh\necho')],
    ['a zip archive', narrow('PK\x03\x04\x14\0....')],
    ['gzip data', gzipSync('text')],
  ])('%s', (is, bytes) => {
    expect(shown(Buffer.concat([Buffer.from('xyz'), bytes]))).toContain(`program ${is}`)
  })

  it('are not reported if only their first bytes match', () => {
    expect(
      shown('MZ is no program', '#! neither', '\0asm alone', 'PK\x03\x04abc', '\x1f\x8b\x08abcdefgh'),
    ).toEqual([])
  })

  it('are reported once per segment, and their contents are scanned too', () => {
    expect(shown(`\x7fELF\x02\x01 \x7fELF\x02\x01 AKIA${'A'.repeat(16)}`, 'PK\x03\x04\x0a\0')).toEqual([
      'secret an AWS access key',
      'program a Linux program',
      'program a zip archive',
    ])
  })
})

describe('opaque data', () => {
  it('is reported from 64 KiB on', () => {
    expect(
      scan(withData(Buffer.concat([Buffer.alloc(8192), noise(65_536), Buffer.alloc(9000)]))).opaque,
    ).toMatchObject({
      total: 1,
      shown: [{ length: 65_536 }],
    })
    expect(scan(withData(noise(65_535))).opaque.total).toBe(0)
    expect(scan(withData(Buffer.alloc(200_000, base64Of(10_000)))).opaque.total).toBe(0)
  })
})

describe('a scan', () => {
  it('reports offsets in the file', () => {
    const bytes = withData(narrow('nothing here'), narrow('at https://a.example/x now'))
    const { offset, length } = scan(bytes).address.shown[0] ?? { offset: 0, length: 0 }
    expect(Buffer.from(bytes.subarray(offset, offset + length)).toString()).toBe('https://a.example/x')
  })

  it('covers only data segments', () => {
    const custom = [...leb(4), ...narrow('note'), ...narrow('https://a.example/')]
    expect(scan(moduleBytes(section(0, custom))).address.total).toBe(0)
  })

  const addresses = (hosts: readonly number[]): ModuleScan =>
    scan(withData(narrow(hosts.map((host) => `https://a${host}.example/\0`).join(''))))

  it('has a digest that depends on the marks but not on their order', () => {
    const { digest } = addresses([1, 2, 3]).address
    expect(addresses([3, 1, 2, 1]).address.digest).toBe(digest)
    expect(addresses([1, 2]).address.digest).not.toBe(digest)
    expect(addresses([1, 2, 4]).address.digest).not.toBe(digest)
  })

  it('shows the first distinct marks, and its digest covers all of them', () => {
    const hosts = Array.from({ length: 30_000 }, (_, host) => host)
    const found = addresses([0, 0, ...hosts]).address
    expect(found.total).toBe(30_002)
    expect(new Set(found.shown.map(({ text }) => text)).size).toBe(shownMarks)
    const other = addresses([0, 0, ...hosts.slice(0, -1), 77_777]).address
    expect(other.total).toBe(found.total)
    expect(other.digest).not.toBe(found.digest)
  })

  it('escapes unsafe characters in texts', () => {
    const bytes = withData(Buffer.from('see https://a.example/\u202Egnp.exe now'))
    expect(scan(bytes).address.shown[0]?.text).toBe('https://a.example/\\u{202e}gnp.exe')
  })
})

describe('hostile data', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        'https://',
        'a://',
        '1.2.3.4',
        '/etc/passwd',
        '-----BEGIN ',
        'PRIVATE KEY',
        'ghp_',
        'AKIA',
        'MZ',
        '#!/',
      )
      .map(narrow),
    fc.constantFrom('/bin/sh', 'ghp_', '-----BEGIN PRIVATE KEY-----').map(wide),
    fc.constantFrom('\x7fELF\x01', '\0asm\x01\0\0\0', 'PK\x03\x04', 'aaaaaaaaaaaaaaaaaaaa').map(narrow),
  )

  it('never makes a scan fail, and all marks are within the data', () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: 4 }), (segments) => {
        const bytes = withData(...segments.map((pieces) => Buffer.concat(pieces)))
        const found = scan(bytes)
        for (const kind of markKinds) {
          for (const { offset, length } of found[kind].shown) {
            expect(offset).toBeGreaterThanOrEqual(8)
            expect(offset + length).toBeLessThanOrEqual(bytes.length)
          }
        }
      }),
      { numRuns: 3000, seed: 20_261_121 },
    )
  })

  it('may be in a truncated or corrupted section', () => {
    const whole = withData(narrow('https://a.example/ 203.0.113.7'), noise(300))
    const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(edits, fc.nat(whole.length), (changes, length) => {
        const bytes = Uint8Array.from(whole.subarray(0, Math.max(8, length)))
        for (const [at, byte] of changes) if (at >= 8 && at < bytes.length) bytes[at] = byte
        const reading = readModule(bytes)
        if (reading.ok) scanModule(bytes, reading.module.sections)
      }),
      { numRuns: 3000, seed: 20_261_122 },
    )
  })

  it.each<string>([
    'a://b ',
    '1.2.3.4 ',
    '/a/b ',
    'AKIA',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '/bin/sh',
    '#!/bin/',
    'MZ',
    '\x7fELF\x01',
    '(\xb5/\xfd',
    'aB3',
    '/',
    '\0',
  ])('that repeats %j is scanned in linear time', (text) => {
    const bytes = withData(Buffer.alloc(1024 * 1024, narrow(text)))
    // About 60 ms if it is linear, minutes if it is not.
    expect(cpuTimeOf(() => scan(bytes))).toBeLessThan(1500)
  })

  it('in many small segments is scanned in linear time too', () => {
    const bytes = withData(...Array.from({ length: 50_000 }, () => narrow('\x7fELF\x01/etc/shadow')))
    let found: Record<MarkKind, { total: number }> | null = null
    expect(cpuTimeOf(() => (found = scan(bytes)))).toBeLessThan(3000)
    expect(found).toMatchObject({ program: { total: 50_000 }, path: { total: 50_000 } })
  })
})
