import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyFolder } from '../../src/server/backup/verify-folder.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { skillHere } from '../support/client/client-here.ts'
import { cleanUp } from '../support/server/command-line.ts'
import { decideProject, startTestContent, submitProject } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { manifest, publish } from '../support/server/publish.ts'

/** Earlier versions accepted invisible texts. What they stored stays valid. */
let app: TestContent

const blank = '\u200B'.repeat(20)
const written: Partial<SkillManifest> = {
  readme: 'A readme that an older version accepted.',
  inputs: 'Inputs that an older version accepted.',
  outputs: 'Outputs that an older version accepted.',
  license: 'License-of-an-older-version',
}

beforeAll(async () => {
  app = await startTestContent()
  await app.release({ name: 'older', ...written }, 'approved')
  await app.submit({ name: 'older', version: '1.1.0', ...written })
  await withDatabase(app, (database) =>
    database.transact(() => {
      for (const [table, column] of [
        ['release_manifests', 'manifest'],
        ['release_bodies', 'body'],
      ]) {
        for (const text of Object.values(written)) {
          database.writer
            .prepare(`UPDATE ${table} SET ${column} = CAST(replace(CAST(${column} AS TEXT), ?, ?) AS BLOB)`)
            .run(text, blank)
        }
      }
    }),
  )
})
afterAll(async () => {
  await app.stop()
  await cleanUp()
})

describe('a manifest with blank texts, stored by an older version', () => {
  test.each([
    '/api/marketplace/skills',
    '/api/marketplace/skills/older',
    '/api/marketplace/skills/older/1.0.0',
    '/skills',
    '/skills/older/1.0.0',
    '/docs-markdown/site/marketplace.md',
    '/docs-markdown/marketplace/older/1.0.0.md',
  ])('is served at %s', async (path) => {
    const response = await fetch(app.registry + path)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('older')])
  })

  test('is served exactly as stored', async () => {
    const response = await fetch(`${app.api}/skills/older/1.0.0/manifest`)
    expect(await response.json()).toMatchObject({ readme: blank, inputs: blank, license: blank })
  })

  test('can be reviewed at the desk', async () => {
    const { body } = await app.desk.get<{ items: { id: number; name: string }[] }>('/releases?view=pending')
    expect(body.items).toMatchObject([{ name: 'older', version: '1.1.0' }])
    expect(await app.desk.get(`/releases/${body.items[0]?.id}`)).toMatchObject({
      status: 200,
      body: { manifest: { license: blank } },
    })
  })

  test.each([
    ['search', 'older'],
    ['info', 'older'],
    ['install', 'older'],
  ])('is read by the client: %s %s', async (...args) => {
    const { status, stdout } = await skillHere(args, { env: { SKILL_REGISTRY: app.registry } })
    expect([status, stdout]).toEqual([0, expect.stringContaining('older')])
  })
})

test('a project with a blank title and author, stored by an older version, can be approved and shown', async () => {
  const id = await submitProject(app, { title: blank, tagline: blank, author: blank, markdown: blank })
  const { body } = await app.desk.get<{ items: { id: number }[] }>('/projects?status=pending')
  expect(body.items.map((project) => project.id)).toEqual([id])
  const { slug } = await decideProject(app.desk, id)
  for (const path of ['/showcase', `/showcase/${slug}`, `/docs-markdown/showcase/${slug}.md`]) {
    expect([path, (await fetch(app.registry + path)).status]).toEqual([path, 200])
  }
})

test('none of this is logged or reported as damage, nor is an escaped U+FFFD in a manifest', async () => {
  const escaped = JSON.stringify(manifest({ name: 'escaped' })).replace('capitals', String.raw`\ufffd`)
  expect((await publish(app.registry, app.developer, escaped, app.wasm)).status).toBe(201)
  const problems: string[] = []
  await verifyFolder(dataPaths(app.folder), {
    // The records may or may not have been written before the older values.
    onFound: ({ problem }) => void (problem.startsWith('records/') || problems.push(problem)),
    onProgress: () => {},
    onOrphan: () => {},
  })
  // The older values were written by this test and not by a transaction of Skilldock.
  expect(problems).toEqual([1, 2].map((id) => `release ${id}: manifest differs from the transparency log`))
  expect(app.logs.filter((line) => line.includes('damaged'))).toEqual([])
})
