import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personNameSchema } from '../../src/shared/contracts/people.ts'
import { parseManifest } from '../../src/shared/parse-manifest.ts'
import { anyCharacter } from '../support/fixtures/any-character.ts'
import { manifest } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { createRuntimeClient, maxPageBytes, maxReleaseBytes } from '../support/client/runtime-client.ts'
import type { RuntimeClient } from '../support/client/runtime-client.ts'

// The runtime client reads at most 64 KiB of metadata per release and 2 MiB per page. Everything that can be published
// and decided must fit.

/** Six bytes of JSON each, the maximum for one character. */
const control = '\u0001'
/** A required text must contain at least one visible character. */
const longestText = (length: number): string => `${control.repeat(length - 1)}x`
const longestNotes = longestText(2000)
/** A name contains no control characters; the longest other characters have four bytes. */
const fox = '\u{1F98A}'
const longestPublisher = fox.repeat(100)
const pageItems = 50

let app: TestRegistry
let home: string
let client: RuntimeClient
let rita: RuntimeClient

beforeAll(async () => {
  app = await startTestRegistry()
  home = await mkdtemp(join(tmpdir(), 'skilldock-limits-'))
  await app.token({ subject: 'longest', name: longestPublisher })
  client = createRuntimeClient({
    NEXUS_REGISTRY_URL: app.registry,
    NEXUS_REGISTRY_TOKEN: await app.token({ subject: 'longest' }),
  })
  rita = createRuntimeClient({
    NEXUS_REGISTRY_URL: app.registry,
    NEXUS_REGISTRY_TOKEN: app.administrator,
  })
  await writeFile(join(home, 'skill.wasm'), app.wasm)
  for (let at = 0; at < pageItems; at += 1) {
    await publishLongest(at)
  }
})
afterAll(async () => {
  await app.stop()
  await rm(home, { recursive: true, force: true })
})

const name = (at: number): string => `longest-${at}-`.padEnd(64, 'x')
const version = `1.0.${'1'.repeat(28)}`

/** A manifest at both limits, 25,000 characters and 25,600 bytes, with characters that JSON escapes. */
function longestManifest(at: number): string {
  const sent = (readme: string): string =>
    JSON.stringify(
      manifest({
        name: name(at),
        version,
        // Each is one character of four bytes, which adds the 600 bytes by which the limits differ.
        readme: fox.repeat(200) + readme,
        description: longestText(500),
        license: longestText(100),
      }),
    )
  const room = 25_600 - Buffer.byteLength(sent(''))
  return sent(control.repeat(Math.floor(room / 6)) + 'r'.repeat(room % 6))
}

async function publishLongest(at: number): Promise<void> {
  const text = longestManifest(at)
  expect([Array.from(text).length, Buffer.byteLength(text)]).toEqual([25_000, 25_600])
  await writeFile(join(home, 'manifest.json'), text)
  const { id } = await client.publish(join(home, 'manifest.json'), join(home, 'skill.wasm'))
  await rita.review(id, 'approved', longestNotes)
}

const bytesOf = async (path: string, token?: string): Promise<number> => {
  const response = await fetch(`${app.api}/${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  return (await response.arrayBuffer()).byteLength
}

test('the runtime client can read and install the longest possible release', async () => {
  const release = await client.info(name(0), version)
  expect(release).toMatchObject({ publisher: longestPublisher, reviewReason: longestNotes })
  expect((await client.install(`${name(0)}@${version}`, home)).release.sha256).toBe(release.sha256)
  expect(await bytesOf(`skills/${name(0)}/${version}/manifest`)).toBe(25_600)
  const bytes = await bytesOf(`skills/${name(0)}/${version}`)
  expect(bytes).toBeGreaterThan(25_600 + 12_000)
  expect(bytes).toBeLessThanOrEqual(maxReleaseBytes)
})

test('the runtime client can read a page of 50 such releases in each of the three lists', async () => {
  expect(await client.search('')).toHaveLength(pageItems)
  expect(await client.search('longest')).toHaveLength(pageItems)
  expect(await client.mine()).toHaveLength(pageItems)
  const lengths = await Promise.all([
    bytesOf('skills'),
    bytesOf('mine', await app.token({ subject: 'longest' })),
    bytesOf('review', app.administrator),
  ])
  for (const bytes of lengths) {
    expect(bytes).toBeGreaterThan(pageItems * (25_600 + 12_000))
    // The longest ids, owner ids and sizes would make each item at most this much longer.
    expect(bytes + pageItems * 40).toBeLessThanOrEqual(maxPageBytes)
  }
})

test('none of their parts can be longer', async () => {
  const names = [longestPublisher, `${longestPublisher}x`, control]
  expect(names.map((each) => personNameSchema.safeParse(each).success)).toEqual([true, false, false])
  await writeFile(join(home, 'manifest.json'), `${longestManifest(pageItems)} `)
  await expect(client.publish(join(home, 'manifest.json'), join(home, 'skill.wasm'))).rejects.toMatchObject({
    status: 400,
  })
  const [{ id } = { id: 0 }] = await client.mine()
  await expect(rita.review(id, 'revoked', longestText(2001))).rejects.toMatchObject({ status: 400 })
})

/** One character in any of the forms that JSON allows. */
const written = fc.tuple(anyCharacter, fc.boolean()).map(([character, escaped]) => {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return escaped
    ? units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
    : JSON.stringify(character).slice(1, -1)
})

test('however a manifest is encoded, it is stored in no more bytes than were sent', () => {
  const text = (min: number): fc.Arbitrary<string> =>
    fc.array(written, { minLength: min, maxLength: 200 }).map((characters) => `"${characters.join('')}"`)
  fc.assert(
    fc.property(text(60), text(0), text(0), (readme, input, output) => {
      const sent = JSON.stringify(
        manifest({ readme: 'README', examples: [{ input: 'INPUT', output: 'OUTPUT' }] }),
      )
        .replace('"README"', () => `"some twenty letters ${readme.slice(1)}`)
        .replace('"INPUT"', () => input)
        .replace('"OUTPUT"', () => output)
      // Lone surrogates are refused, and so is the replacement character.
      fc.pre(sent.isWellFormed() && !sent.includes('\uFFFD'))
      const stored = Buffer.byteLength(JSON.stringify(parseManifest(sent)))
      expect(stored).toBeLessThanOrEqual(Buffer.byteLength(sent))
    }),
  )
})
