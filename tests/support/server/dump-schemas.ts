// Writes the missing dumps of tests/operations/schemas. Run it before adding a migration:
//
//   node tests/support/server/dump-schemas.ts
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import sharp from 'sharp'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { migrate, migrations } from '../../../src/server/db/migrate.ts'
import { decideAtDesk } from '../desk/desk-client.ts'
import build from '../build.ts'
import { cleanUp, temporaryFolder } from './command-line.ts'
import {
  approvedProject,
  decideProject,
  draftPost,
  publishPost,
  startTestContent,
  submitProject,
} from './content.ts'
import { addImage } from './projects.ts'
import { dumpDatabase, dumpedVersions, dumpsFolder } from './schema-dumps.ts'

/** A registry with rows in every table, in a new data folder. */
async function makeRegistry(folder: string): Promise<void> {
  const app = await startTestContent({ folder })
  const carol = await app.token({ subject: 'carol', name: 'Carol', label: 'laptop', scope: 'publish' })
  await app.release({ name: 'upper-case' }, 'approved')
  const revoked = await app.release({ name: 'upper-case', version: '1.1.0' }, 'approved')
  await decideAtDesk(app.desk, revoked, 'revoked', { publishReason: true })
  await app.release({ name: 'upper-case', version: '1.2.0' }, 'approved')
  await app.release({ name: 'upper-case', version: '1.3.0' }, 'rejected')
  await app.submit({ name: 'upper-case', version: '1.4.0' })
  const held = await app.submit({ name: 'lower-case' }, carol)
  await app.decide(await app.submit({ name: 'count-lines' }, carol), 'approved')
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
  const { sha256 } = await addImage(app.desk, Buffer.from(await picture.png().toBuffer()))
  await publishPost(app.desk, {
    title: 'Published post',
    slug: 'published',
    markdown: `![A blue picture](image:${sha256})`,
  })
  await publishPost(app.desk, { title: 'Scheduled post', slug: 'scheduled' }, '2099-01-01T00:00:00.000Z')
  await draftPost(app.desk, { title: 'Draft post', slug: 'draft' })
  await approvedProject(app, { title: 'Approved project' })
  await decideProject(app.desk, await submitProject(app, { title: 'Rejected project' }), 'rejected')
  await submitProject(app, { title: 'Pending project' })
  await app.desk.send('POST', '/webhooks', { url: 'https://example.com/', events: ['release.decided'] })
  await app.decide(await app.submit({ name: 'reported' }), 'rejected')
  await app.desk.send('POST', '/skills/upper-case/1.0.0/deprecation', {
    reason: 'It is slow for long lines.',
  })
  await app.stop()
  const database = new Sqlite(dataPaths(folder).database)
  database.exec(`
    INSERT INTO held_decisions VALUES (${held}, 'approved', 'It may be undone.', 2,
      '2026-01-01T10:00:00.000Z', '2026-01-01T10:00:10.000Z', '{}');
    INSERT INTO agent_projects VALUES ('/srv/agents', '2026-01-01T10:00:00.000Z');
    INSERT INTO agent_alerts (folder, kind, key, since, first_seen_at)
      VALUES ('/srv/agents', 'crashed', 'worker-1', '2026-01-01T10:00:00.000Z', '2026-01-01T10:00:00.000Z');
  `)
  database.close()
}

async function main(): Promise<void> {
  await build()
  const folder = temporaryFolder()
  await makeRegistry(folder)
  const source = new Sqlite(dataPaths(folder).database)
  const dumped = dumpedVersions()
  for (const { version } of migrations) {
    if (dumped.includes(version)) continue
    const path = join(folder, `model-${version}.db`)
    migrate(path, folder, migrations.slice(0, version))
    const model = new Sqlite(path)
    writeFileSync(join(dumpsFolder, `${version}.sql`), dumpDatabase(model, source))
    model.close()
    process.stdout.write(`${version}.sql\n`)
  }
  source.close()
  for (const part of ['packages', 'pictures'] as const) {
    mkdirSync(join(dumpsFolder, part), { recursive: true })
    cpSync(dataPaths(folder)[part], join(dumpsFolder, part), { recursive: true })
  }
  rmSync(folder, { recursive: true })
}

try {
  await main()
} finally {
  await cleanUp()
}
