import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../src/server/db/migrate.ts'
import { createRegistry } from '../../src/server/db/migrations/0001_registry.ts'
import { createDesk } from '../../src/server/db/migrations/0002_desk.ts'
import { openConfigured } from '../../src/server/db/open.ts'

test('a registry from before the desk gets the columns of the queue from its decisions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-migration-'))
  try {
    const path = join(folder, 'skilldock.db')
    migrate(path, join(folder, 'backups'), [{ version: 1, name: 'registry', up: createRegistry }])
    const old = openConfigured(path, { timeoutMs: 1000 })
    old.exec(`
      INSERT INTO people (issuer, subject, role, created_at) VALUES ('skilldock', 'rita', 'administrator', 't0');
      INSERT INTO skill_names VALUES ('known', 1), ('fresh', 1);
      INSERT INTO releases (id, name, version, owner_id, sha256, size, status, created_at) VALUES
        (1, 'known', '1.0.0', 1, 'a', 8, 'rejected', 't1'), (2, 'known', '1.1.0', 1, 'b', 8, 'revoked', 't2'),
        (3, 'fresh', '1.0.0', 1, 'c', 8, 'pending', 't3');
      INSERT INTO decisions (id, release_id, action, reason, decided_by, decided_at) VALUES
        (1, 2, 'approved', 'r', 1, 't4'), (2, 1, 'rejected', 'r', 1, 't5'), (3, 2, 'revoked', 'r', 1, 't6');
    `)
    old.close()
    migrate(path, join(folder, 'backups'))
    const now = openConfigured(path, { timeoutMs: 1000 })
    expect(now.prepare('SELECT id, last_decision AS last FROM releases ORDER BY id').all()).toEqual([
      { id: 1, last: 2 },
      { id: 2, last: 3 },
      { id: 3, last: null },
    ])
    expect(now.prepare('SELECT name, first_approved_at AS at FROM skill_names ORDER BY name').all()).toEqual([
      { name: 'fresh', at: null },
      { name: 'known', at: 't4' },
    ])
    now.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('sessions that used a cookie are ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-migration-'))
  try {
    const path = join(folder, 'skilldock.db')
    const cookieDays = [
      { version: 1, name: 'registry', up: createRegistry },
      { version: 2, name: 'desk', up: createDesk },
    ]
    migrate(path, join(folder, 'backups'), cookieDays)
    const old = openConfigured(path, { timeoutMs: 1000 })
    old.exec(`
      INSERT INTO people (issuer, subject, role, created_at) VALUES ('skilldock', 'rita', 'administrator', 't0');
      INSERT INTO desk_sessions (person_id, token_hash, label, created_at, last_seen_at, expires_at, ended_at) VALUES
        (1, 'open', 'Firefox', 't1', 't1', '2999-01-01', NULL), (1, 'over', 'Firefox', 't1', 't1', '2999-01-01', 't2');
    `)
    old.close()
    migrate(path, join(folder, 'backups'))
    const now = openConfigured(path, { timeoutMs: 1000 })
    expect(
      now.prepare('SELECT token_hash AS hash, ended_at AS ended FROM desk_sessions ORDER BY id').all(),
    ).toEqual([
      { hash: 'open', ended: expect.stringMatching(/^\d{4}-.*Z$/) },
      { hash: 'over', ended: 't2' },
    ])
    now.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
