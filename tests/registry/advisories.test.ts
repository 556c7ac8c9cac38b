import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { advisoriesPerPage } from '../../src/shared/contracts/release-states.ts'
import type { ReleaseState } from '../../src/shared/contracts/release-states.ts'
import { signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { seedManyReleases } from '../support/server/seed-many-releases.ts'

// Revocations as public advisories.

const time = z.iso.datetime()
/** The fields of OSV 1.x that an advisory may have, https://ossf.github.io/osv-schema, with an ecosystem of our own. */
const osvSchema = z.strictObject({
  schema_version: z.string().regex(/^1\.\d+\.\d+$/),
  id: z.string().regex(/^x_SKILLDOCK-\d{4}-[1-9]\d*$/),
  modified: time,
  published: time,
  withdrawn: time.optional(),
  summary: z.string().max(120),
  details: z.string().optional(),
  affected: z
    .array(
      z.strictObject({
        package: z.strictObject({
          ecosystem: z.literal('Skilldock'),
          name: z.string(),
          purl: z.string().optional(),
        }),
        versions: z.array(z.string()).min(1),
        database_specific: z.strictObject({ sha256: z.string().regex(/^[a-f0-9]{64}$/) }),
      }),
    )
    .min(1),
})
type Advisory = z.infer<typeof osvSchema>

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0 } })
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const feed = (query = ''): string => `${app.registry}/api/skilldock/advisories.json${query}`
const read = async (query = ''): Promise<Advisory[]> =>
  z.array(osvSchema).parse((await call(feed(query))).body)
const reasonOf = (name: string): string => `${name} sends its input to example.com.`
const revoke = (id: number, name: string, publishReason?: boolean) =>
  rita.send('POST', `/releases/${id}/decision`, {
    action: 'revoked',
    reason: reasonOf(name),
    ...(publishReason !== undefined && { publishReason }),
  })

test('a revocation becomes an advisory in the format of OSV, with the id that the state of the release has', async () => {
  const id = await app.release({ name: 'bad-tool', version: '1.2.3' }, 'approved')
  expect(await read()).toEqual([])
  await app.decide(id, 'revoked')
  const state = await call<ReleaseState>(`${app.registry}/api/skilldock/skills/bad-tool/1.2.3/state`)
  expect(await read()).toEqual([
    {
      schema_version: '1.6.0',
      id: state.body.advisory,
      modified: expect.any(String),
      published: expect.any(String),
      summary: 'bad-tool 1.2.3 was revoked.',
      affected: [
        {
          package: { ecosystem: 'Skilldock', name: 'bad-tool' },
          versions: ['1.2.3'],
          database_specific: { sha256: state.body.sha256 },
        },
      ],
    },
  ])
})

test('an advisory has the reason only if the administrator chose to publish it', async () => {
  const names = ['published', 'not-published', 'not-asked'] as const
  for (const [name, publishReason] of [
    [names[0], true],
    [names[1], false],
    [names[2], undefined],
  ] as const) {
    const id = await app.release({ name }, 'approved')
    expect((await revoke(id, name, publishReason)).status).toBe(200)
  }
  const advisories = await read()
  const details = names.map(
    (name) => advisories.find(({ affected }) => affected[0]?.package.name === name)?.details,
  )
  expect(details).toEqual([reasonOf('published'), undefined, undefined])
})

test('the reason of an approval or a rejection is never in the advisories', async () => {
  const id = await app.submit({ name: 'approved-tool' })
  await rita.send('POST', `/releases/${id}/decision`, {
    action: 'approved',
    reason: 'I read all of it.',
    publishReason: true,
  })
  await app.decide(id, 'revoked')
  const text = await (await fetch(feed())).text()
  expect(text).toContain('approved-tool')
  expect(text).not.toContain('I read all of it.')
})

test('a client that has the current advisories gets 304, and 200 after the next revocation', async () => {
  const first = await fetch(feed())
  const etag = first.headers.get('etag') ?? ''
  const again = (): Promise<Response> => fetch(feed(), { headers: { 'if-none-match': etag } })
  expect(first.headers.get('content-type')).toBe('application/json')
  expect((await again()).status).toBe(304)
  await app.release({ name: 'next-bad-tool' }, 'approved', 'revoked')
  expect((await again()).status).toBe(200)
})

test('pages have 1,000 advisories, the newest submission first', async () => {
  const newest = (await read())[0]?.affected[0]?.package.name
  expect(newest).toBe('next-bad-tool')
  expect(await refusal(feed('?offset=-1'))).toMatchObject({ status: 400, paths: ['offset'] })
  const many = await startTestRegistry()
  try {
    seedManyReleases(many, 10_500, 1)
    const page = (offset: number) =>
      call<Advisory[]>(`${many.registry}/api/skilldock/advisories.json?offset=${offset}`)
    const pages = [await page(0), await page(advisoriesPerPage), await page(2 * advisoriesPerPage)]
    expect(pages.map(({ body }) => body.length)).toEqual([advisoriesPerPage, 50, 0])
    expect(pages.map(({ headers }) => headers.get('link'))).toEqual([
      `<?offset=${advisoriesPerPage}>; rel="next"`,
      null,
      null,
    ])
    expect(new Set(pages.flatMap(({ body }) => body.map(({ id }) => id))).size).toBe(advisoriesPerPage + 50)
  } finally {
    await many.stop()
  }
})
