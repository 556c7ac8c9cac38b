import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { categories, skillManifestSchema } from '../../src/shared/contracts/manifest.ts'
import { DomainError } from '../../src/shared/errors.ts'
import { parseManifest } from '../../src/shared/parse-manifest.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../support/server/multipart.ts'
import { call, manifest } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

type Refusal = { code: string; paths: string[]; error: string } | null

/** The error for the manifest part, or null if it is accepted. */
function refusalOf(sent: unknown): Refusal {
  try {
    parseManifest(typeof sent === 'string' ? sent : JSON.stringify(sent))
    return null
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return {
      code: error.code,
      error: error.message,
      paths: (error.issues ?? []).map(({ path }) => path),
    }
  }
}

const withField = (field: string, value: unknown): unknown => ({ ...manifest(), [field]: value })
const without = (field: string): unknown =>
  Object.fromEntries(Object.entries(manifest()).filter(([name]) => name !== field))

const fox = '🦊'

describe('the length of each text (2.1), counted in code points', () => {
  const texts: [string, number, number][] = [
    ['description', 10, 500],
    ['readme', 20, 20_000],
    ['inputs', 10, 2000],
    ['outputs', 10, 2000],
    ['license', 1, 100],
  ]
  const accepts = (field: string, value: unknown): boolean =>
    skillManifestSchema.safeParse(withField(field, value)).success

  test.each(texts)('%s has %i to %i characters', (field, min, max) => {
    for (const letter of ['a', 'é', fox]) {
      expect(accepts(field, letter.repeat(min - 1)), `${min - 1} ${letter}`).toBe(false)
      expect(accepts(field, letter.repeat(min)), `${min} ${letter}`).toBe(true)
      expect(accepts(field, letter.repeat(max)), `${max} ${letter}`).toBe(true)
      expect(accepts(field, letter.repeat(max + 1)), `${max + 1} ${letter}`).toBe(false)
    }
    expect(refusalOf(withField(field, 'a'.repeat(max + 1)))).toMatchObject({
      code: 'INVALID_MANIFEST',
      paths: [field],
    })
  })

  test.each(texts)('%s is trimmed before it is measured, and stored trimmed', (field, min, max) => {
    const around = (text: string): unknown => withField(field, ` \n\t\u00a0${text}\u2003\r\n`)
    expect(parseManifest(JSON.stringify(around('a'.repeat(max))))).toMatchObject({ [field]: 'a'.repeat(max) })
    expect(parseManifest(JSON.stringify(around('a b'.padEnd(min, 'c'))))).toMatchObject({
      [field]: 'a b'.padEnd(min, 'c'),
    })
    expect(refusalOf(around('a'.repeat(min - 1)))?.paths).toEqual([field])
    expect(refusalOf(withField(field, ' '.repeat(max)))?.paths).toEqual([field])
  })

  test('an example has an input and an output of 0 to 2000 characters each', () => {
    for (const field of ['input', 'output']) {
      const example = (value: unknown): unknown =>
        withField('examples', [{ input: 'a', output: 'b', [field]: value }])
      expect(refusalOf(example(''))).toBeNull()
      expect(refusalOf(example('a'.repeat(2000)))).toBeNull()
      expect(refusalOf(example(fox.repeat(2000)))).toBeNull()
      expect(refusalOf(example('a'.repeat(2001)))?.paths).toEqual([`examples.0.${field}`])
      expect(refusalOf(example(fox.repeat(2001)))?.paths).toEqual([`examples.0.${field}`])
      expect(refusalOf(example(null))?.paths).toEqual([`examples.0.${field}`])
      expect(refusalOf(withField('examples', [{ [field]: 'alone' }]))?.paths).toHaveLength(1)
    }
  })

  test('an example is not trimmed: its whitespace is significant', () => {
    const examples = [{ input: ' a\n', output: '\n' }]
    expect(parseManifest(JSON.stringify(withField('examples', examples))).examples).toEqual(examples)
  })

  test('there are 1 to 3 examples, each with only input and output', () => {
    const examples = (count: number): unknown =>
      withField(
        'examples',
        Array.from({ length: count }, () => ({ input: 'a', output: 'b' })),
      )
    expect([0, 1, 2, 3, 4].map((count) => refusalOf(examples(count)) === null)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    const more = withField('examples', [
      { input: 'a', output: 'b' },
      { input: 'a', output: 'b', note: 'c' },
    ])
    expect(refusalOf(more)?.paths).toEqual(['examples.1.note'])
    expect(refusalOf(withField('examples', { 0: { input: 'a', output: 'b' } }))?.paths).toEqual(['examples'])
  })
})

describe('name and version (2.1)', () => {
  test('a name has at most 64 characters', () => {
    expect(refusalOf(withField('name', 'a'.repeat(64)))).toBeNull()
    expect(refusalOf(withField('name', `${'ab-'.repeat(21)}c`))).toBeNull()
    expect(refusalOf(withField('name', 'a'.repeat(65)))?.paths).toEqual(['name'])
  })

  test.each(['a', 'z9', 'a-b', 'a1-2-b3', 'a-1'])('%s is a valid name', (name) => {
    expect(refusalOf(withField('name', name))).toBeNull()
  })

  test.each([
    '',
    'A',
    'aB',
    '1a',
    '-a',
    'a-',
    'a--b',
    'a_b',
    'a.b',
    'a b',
    ' a',
    'a ',
    'a\n',
    'ä',
    'а',
    'a\u0000',
  ])('%j is not a valid name, and is not trimmed to one', (name) => {
    expect(refusalOf(withField('name', name))?.paths).toContain('name')
  })

  test('a version has at most 32 characters', () => {
    expect(refusalOf(withField('version', `1.0.${'1'.repeat(28)}`))).toBeNull()
    expect(refusalOf(withField('version', `1.0.${'1'.repeat(29)}`))?.paths).toEqual(['version'])
  })

  test.each(['0.0.0', '0.10.200', '10.0.1', '9007199254740993.0.0'])('%s is a valid version', (version) => {
    expect(refusalOf(withField('version', version))).toBeNull()
  })

  test.each(
    [
      ['', '1', '1.0', '1.0.0.0', '01.0.0', '1.00.0', '1.0.01', '00.0.0', 'v1.0.0', '1.0.0-a', '1.0.0+b'],
      ['1..0', '.1.0', '-1.0.0', '1.0.0 ', ' 1.0.0', '1.0.0\n', '1,0,0', '１.0.0', '1.0.x', '1e1.0.0'],
    ].flat(),
  )('%j is not a valid version', (version) => {
    expect(refusalOf(withField('version', version))?.paths).toContain('version')
  })
})

describe('constants and kinds (2.1)', () => {
  test.each([
    ['schemaVersion', [0, 2, '1', true, null, [1], 1.5]],
    ['runtime', ['wasip2', 'WASIP1-COMMAND', 'wasip1-command ', '', null, 1]],
    ['entrypoint', ['start', '_START', 'main', '', null]],
    ['pricing', ['paid', 'Free', '', null, 0]],
    ['category', ['validators', 'VALIDATORS', 'Tools', '', 'Data ', null, ['Data']]],
  ])('%s accepts no other value', (field, values) => {
    for (const value of values) {
      expect(refusalOf(withField(field, value)), JSON.stringify(value)).toMatchObject({
        code: 'INVALID_MANIFEST',
        paths: [field],
      })
    }
  })

  test('the six categories are accepted, and 1.0 is the number 1', () => {
    for (const category of categories) expect(refusalOf(withField('category', category))).toBeNull()
    expect(categories).toEqual(['Validators', 'Parsers', 'Transformers', 'Calculators', 'Data', 'Other'])
    expect(
      refusalOf(JSON.stringify(manifest()).replace('"schemaVersion":1', '"schemaVersion":1.0e0')),
    ).toBeNull()
  })

  test.each(Object.keys(manifest()))(
    '%s is required, and neither null nor another type is accepted',
    (field) => {
      for (const value of [null, 7, true, {}, [7]]) {
        expect(refusalOf(withField(field, value))?.paths[0]).toContain(field)
      }
      expect(refusalOf(without(field))).toMatchObject({ code: 'INVALID_MANIFEST', paths: [field] })
    },
  )

  test('no other field is accepted, whatever its name', () => {
    for (const field of ['homepage', 'Name', '', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(refusalOf(withField(field, 'x')), field).toMatchObject({
        code: 'INVALID_MANIFEST',
        paths: [field],
      })
    }
  })

  test.each(['null', 'true', '7', '"text"', '[]', '{}', '[{}]'])('%s is not a manifest', (text) => {
    expect(refusalOf(text)?.code).toBe('INVALID_MANIFEST')
  })
})

describe('the text of the manifest part', () => {
  const text = JSON.stringify(manifest())

  test.each([
    '',
    ' ',
    '{',
    `${text}x`,
    `${text}${text}`,
    `${text.slice(0, -1)},}`,
    "{'a':1}",
    'NaN',
    `//\n${text}`,
  ])('text that is not JSON is refused (case %#)', (sent) => {
    const refused = refusalOf(sent)
    expect(refused).toMatchObject({ code: 'INVALID_MANIFEST', paths: ['manifest'] })
    expect(refused?.error).toContain('is not valid JSON')
  })

  test('a byte order mark is dropped at the start, and refused anywhere else', () => {
    expect(refusalOf(`\uFEFF${text}`)).toBeNull()
    expect(refusalOf(`\uFEFF\uFEFF${text}`)?.code).toBe('INVALID_MANIFEST')
    expect(refusalOf(`${text}\uFEFF`)?.code).toBe('INVALID_MANIFEST')
  })

  test.each([
    ['at the top', `{"name":"other",${text.slice(1)}`, 'name'],
    ['with the same value', `{"schemaVersion":1,${text.slice(1)}`, 'schemaVersion'],
    ['one of them with an escape', `{"n\\u0061me":"other",${text.slice(1)}`, 'name'],
    ['in an example', text.replace('"input":', '"input":"x","input":'), 'input'],
    ['with spaces before the colon', text.replace('"input":', '"input" \n:"x","input" :'), 'input'],
    ['in an unknown field', `{"x":{"y":1,"y":2},${text.slice(1)}`, 'y'],
    ['of the name __proto__', `{"__proto__":{},${text.slice(1)}`, '__proto__'],
    ['of the name __proto__ with an escape', `{"\\u005f_proto__":1,${text.slice(1)}`, '__proto__'],
    ['of the name __proto__ in an example', text.replace('"input":', '"__proto__":{},"input":'), '__proto__'],
  ])('a duplicate key or __proto__ is refused: %s', (_case, sent, key) => {
    expect(refusalOf(sent)).toMatchObject({ code: 'INVALID_MANIFEST', paths: [key] })
    expect(({} as Record<string, unknown>)['input']).toBeUndefined()
  })

  test('a string that looks like duplicate keys is accepted', () => {
    expect(refusalOf(withField('readme', '{"name":1,"name":2,"__proto__":3} [[[[[[[[[[[['))).toBeNull()
    expect(refusalOf(withField('readme', '\\"name":1,"name\\\\":2 and some more'))).toBeNull()
    const examples = [
      { input: 'a', output: 'b' },
      { input: 'a', output: 'b' },
    ]
    expect(refusalOf(withField('examples', examples))).toBeNull()
  })

  test('excessive nesting is refused without recursion', () => {
    expect(refusalOf(`${'['.repeat(12_500)}${']'.repeat(12_500)}`)?.code).toBe('INVALID_MANIFEST')
    expect(refusalOf('{"a":'.repeat(4000) + '1' + '}'.repeat(4000))?.code).toBe('INVALID_MANIFEST')
  })

  test.each(['description', 'readme', 'inputs', 'outputs', 'license'])(
    'a lone surrogate in %s is refused, a surrogate pair is not',
    (field) => {
      const value = (middle: string): string =>
        text.replace(/("license"|"readme"|"description"|"inputs"|"outputs"):"[^"]*"/g, (pair, key: string) =>
          key === `"${field}"` ? `${key}:"twenty letters and ${middle} more"` : pair,
        )
      expect(refusalOf(value('\\ud83e'))?.paths).toEqual([field])
      expect(refusalOf(value('\\udd8a'))?.paths).toEqual([field])
      expect(refusalOf(value('\\udd8a\\ud83e'))?.paths).toEqual([field])
      expect(refusalOf(value('\\ud83e\\udd8a'))).toBeNull()
    },
  )

  test('a lone surrogate in an example is refused', () => {
    expect(refusalOf(text.replace('"input":"', '"input":"\\ud83e'))?.paths).toEqual(['examples.0.input'])
  })

  test('a manifest has at most 25,000 characters', () => {
    expect(refusalOf(text.padEnd(25_000))).toBeNull()
    expect(refusalOf(text.padEnd(25_001))?.code).toBe('MANIFEST_TOO_LARGE')
  })

  test('a manifest has at most 25,600 bytes of UTF-8', () => {
    const foxes = JSON.stringify(withField('readme', fox.repeat(250)))
    const padded = (bytes: number): string => foxes + ' '.repeat(bytes - Buffer.byteLength(foxes))
    expect(refusalOf(padded(25_600))).toBeNull()
    expect(refusalOf(padded(25_601))?.code).toBe('MANIFEST_TOO_LARGE')
  })

  test('characters are code points: 200 emoji use up both limits at once', () => {
    const foxes = JSON.stringify(withField('readme', fox.repeat(200)))
    const padded = foxes + ' '.repeat(25_600 - Buffer.byteLength(foxes))
    expect([Array.from(padded).length, Buffer.byteLength(padded)]).toEqual([25_000, 25_600])
    expect(refusalOf(padded)).toBeNull()
    expect(refusalOf(`${padded} `)?.code).toBe('MANIFEST_TOO_LARGE')
  })
})

describe('over HTTP', () => {
  let app: TestRegistry
  let count = 0
  beforeAll(async () => {
    app = await startTestRegistry()
  })
  afterAll(() => app.stop())

  interface Answer {
    status: number
    code: string | undefined
    paths: string[]
    id: number
  }

  const send = async (sent: string | Uint8Array): Promise<Answer> => {
    const response = await fetch(`${app.api}/publish`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.developer}`, 'content-type': multipartType },
      body: multipartBody([{ ...manifestPart(''), data: sent }, wasmPart(app.wasm)]),
    })
    const body = (await response.json()) as { id: number; code?: string; issues?: { path: string }[] }
    return {
      status: response.status,
      code: body.code,
      paths: (body.issues ?? []).map(({ path }) => path),
      id: body.id,
    }
  }
  const sendField = (field: string, value: unknown): Promise<Answer> => {
    count += 1
    return send(JSON.stringify({ ...manifest({ version: `1.0.${count}` }), [field]: value }))
  }

  test.each([
    ['description', 10, 500],
    ['readme', 20, 20_000],
    ['inputs', 10, 2000],
    ['outputs', 10, 2000],
    ['license', 1, 100],
  ])('%s of %i and of %i characters is accepted; one fewer and one more is 400', async (field, min, max) => {
    const letters = field === 'readme' ? ['r'] : ['d', fox]
    for (const letter of letters) {
      const answers = []
      for (const length of [min - 1, min, max, max + 1]) {
        answers.push(await sendField(field, letter.repeat(length)))
      }
      expect(answers.map(({ status }) => status)).toEqual([400, 201, 201, 400])
      expect(answers[0]).toMatchObject({ code: 'INVALID_MANIFEST', paths: [field] })
      expect(answers[3]).toMatchObject({ code: 'INVALID_MANIFEST', paths: [field] })
    }
  })

  test('stored texts are trimmed', async () => {
    const { id } = await sendField('description', '\n  Trimmed on both of its ends.  ')
    const { body } = await call<List>(`${app.api}/mine`, { token: app.developer })
    const stored = body.items.find((release) => release.id === id)
    expect(stored?.manifest.description).toBe('Trimmed on both of its ends.')
  })

  test('the part is limited to 25,000 characters and to 25,600 bytes', async () => {
    const text = JSON.stringify(manifest({ name: 'characters' }))
    expect(await send(text.padEnd(25_001))).toMatchObject({ status: 400, code: 'MANIFEST_TOO_LARGE' })
    expect((await send(text.padEnd(25_000))).status).toBe(201)
    const foxes = JSON.stringify(manifest({ name: 'bytes', readme: fox.repeat(250) }))
    const padded = (bytes: number): string => foxes + ' '.repeat(bytes - Buffer.byteLength(foxes))
    expect(await send(padded(25_601))).toMatchObject({ status: 400, code: 'MANIFEST_TOO_LARGE' })
    expect((await send(padded(25_600))).status).toBe(201)
  })

  const left = async (): Promise<unknown> => {
    const mine = await call<List>(`${app.api}/mine`, { token: app.developer })
    return { files: await app.packageFiles(), newest: mine.body.items[0]?.id }
  }

  test.each([
    ['text that is not JSON', 'name: yaml', 'manifest'],
    ['a duplicate key', `{"name":"x",${JSON.stringify(manifest()).slice(1)}`, 'name'],
    ['__proto__', `{"__proto__":{},${JSON.stringify(manifest()).slice(1)}`, '__proto__'],
    ['an unknown field', JSON.stringify({ ...manifest(), homepage: 'x' }), 'homepage'],
    ['a lone surrogate', JSON.stringify(manifest({ license: '\ud83e' })), 'license'],
    ['an invalid byte', Buffer.from(JSON.stringify(manifest({ license: 'M\u00ff' })), 'latin1'), 'manifest'],
    [
      'an overlong encoding',
      Buffer.from(JSON.stringify(manifest({ license: 'M\u00c0\u0080' })), 'latin1'),
      'manifest',
    ],
    ['UTF-16', Buffer.from(JSON.stringify(manifest()), 'utf16le'), 'manifest'],
  ])('%s is 400 and leaves nothing stored', async (_case, sent, path) => {
    const before = await left()
    expect(await send(sent)).toMatchObject({ status: 400, code: 'INVALID_MANIFEST', paths: [path] })
    expect(await left()).toEqual(before)
  })

  test('a byte order mark is accepted and not stored', async () => {
    const text = JSON.stringify(manifest({ name: 'marked' }))
    const { status, id } = await send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]))
    expect(status).toBe(201)
    await app.decide(id, 'approved')
    const stored = await fetch(`${app.api}/skills/marked/1.0.0/manifest`)
    expect(Buffer.from(await stored.arrayBuffer())[0]).toBe('{'.charCodeAt(0))
  })
})
