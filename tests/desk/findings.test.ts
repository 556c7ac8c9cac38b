import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { DeskRelease, QueueRow } from '../../src/shared/contracts/desk-review.ts'
import type { JudgedFinding } from '../../src/shared/contracts/findings.ts'
import type { SkillManifest } from '../../src/shared/contracts/releases.ts'
import { checksVersion } from '../../src/shared/findings/run-checks.ts'
import { forkHelper } from '../../src/server/processes/fork-helper.ts'
import { getDeskRelease, signIn, withDatabase } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { goodManifest, quietModule } from '../support/fixtures/findings.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import { helperEntries } from '../support/server/server.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let rita: DeskClient
let mira: string
beforeAll(async () => {
  app = await startTestRegistry({
    config: { undoMs: 0 },
    startHelper(kind, mayWrite) {
      const helper = forkHelper(helperEntries[kind], kind, mayWrite)
      const sendLater = async (job: Parameters<typeof helper.send>[0]): Promise<void> => {
        await beforeCheck()
        helper.send(job)
      }
      return { ...helper, send: (job) => void sendLater(job) }
    },
  })
  rita = await signIn(app, 'rita')
  mira = await app.token({ subject: 'mira', name: 'Mira' })
})
afterAll(async () => {
  await app.stop()
  // Also where the last server was started again on it.
  await rm(app.folder, { recursive: true, force: true })
})

/** What happens between the look into the registry and the check of a submission. */
let beforeCheck = async (): Promise<void> => {}

let modules = 0
/** Publishes something in which nothing is found but for what the test changes. */
const submit = async (
  name: string,
  change: Partial<SkillManifest> = {},
  { token = app.developer, wasm }: { token?: string; wasm?: Uint8Array } = {},
): Promise<number> => {
  modules += 1
  return app.submit({ ...goodManifest, name, ...change }, token, wasm ?? (await quietModule(modules)))
}
const approve = async (id: number): Promise<number> => {
  await app.decide(id, 'approved')
  return id
}
const findingsOf = async (id: number): Promise<JudgedFinding[]> =>
  (await getDeskRelease(rita, id)).checks?.findings ?? []
const checksOf = async (id: number): Promise<string[]> => (await findingsOf(id)).map(({ check }) => check)
const rowOf = async (id: number): Promise<QueueRow['checks'] | undefined> => {
  const { items } = (await rita.get<{ items: QueueRow[] }>('/releases?view=all&sort=newest')).body
  return items.find((row) => row.id === id)?.checks
}

describe('findings at publish', () => {
  test('are none where everything is right', async () => {
    const id = await submit('quiet')
    const { checks } = await getDeskRelease(rita, id)
    expect(checks).toMatchObject({
      version: checksVersion(),
      findings: [],
      growth: { base: null, capabilities: [], functions: [] },
    })
    expect(await rowOf(id)).toEqual({ errors: 0, warnings: 0, grew: false })
  })

  test('are looked for again where the registry changed during the check', async () => {
    const rival = await submit('racing-name')
    beforeCheck = async () => {
      beforeCheck = async () => {}
      await approve(rival)
    }
    const id = await submit('racing-names', {}, { token: mira })
    await expect.poll(() => checksOf(id)).toContain('name-near')
  })

  test('say where, why and what to do, worst first, and the queue counts them', async () => {
    const wasm = await quietModule(
      900,
      '(data (i32.const 0) "see https://collect.example/x and /etc/passwd now")',
    )
    const id = await submit('busy', { description: 'Turns\u200B every letter.', license: 'mit' }, { wasm })
    const findings = await findingsOf(id)
    expect(findings.map(({ severity, check }) => `${severity} ${check}`)).toEqual([
      'error text-invisible',
      'warning data-path',
      'warning license-unknown',
      'note data-address',
    ])
    expect(findings[0]).toEqual({
      check: 'text-invisible',
      severity: 'error',
      place: { kind: 'field', field: 'description' },
      title: 'The description contains invisible characters',
      reason: expect.stringContaining('It contains U+200B, first after “Turns”.'),
      advice: expect.any(String),
      fingerprint: expect.stringMatching(/^[a-f0-9]{32}$/),
      judgement: null,
    })
    expect(findings[3]?.reason).toContain('https://collect.example/x')
    const place = findings[3]?.place
    const at = place?.kind === 'bytes' ? place : { offset: 0, length: 0 }
    expect(Buffer.from(wasm.subarray(at.offset, at.offset + at.length)).toString()).toBe(
      'https://collect.example/x',
    )
    expect(await rowOf(id)).toEqual({ errors: 1, warnings: 2, grew: false })
  })

  test.each([
    ['one letter', 'near-nam'],
    ['a hyphen', 'nearname'],
    ['look-alikes', 'near-narne'],
    ['a plural and a hyphen', 'nearnames'],
  ])('know a name that is %s from an approved one of another owner', async (_, name) => {
    if ((await rita.get<{ total: number }>('/releases?view=all&q=near-name')).body.total === 0) {
      await approve(await submit('near-name', {}, { token: mira }))
    }
    const [finding] = await findingsOf(await submit(name))
    expect(finding).toMatchObject({ check: 'name-near', severity: 'error', place: { field: 'name' } })
    expect(finding?.reason).toContain('near-name is approved and belongs to Mira.')
  })

  test('leave out names that are the same owner’s, or of which nothing is approved', async () => {
    await approve(await submit('own-name'))
    await submit('late-name', {}, { token: mira })
    expect(await checksOf(await submit('own-names'))).toEqual([])
    expect(await checksOf(await submit('late-names'))).toEqual([])
  })

  test('know a module that another publisher has, or that was refused', async () => {
    const wasm = await quietModule(901)
    await submit('original', {}, { token: mira, wasm })
    expect(await findingsOf(await submit('copied', {}, { wasm }))).toMatchObject([
      { check: 'module-copied', reason: expect.stringContaining('original 1.0.0 by Mira') },
    ])
    const refused = await quietModule(902)
    await app.decide(await submit('refused', {}, { wasm: refused }), 'rejected')
    expect(await findingsOf(await submit('again', {}, { wasm: refused }))).toMatchObject([
      { check: 'module-refused', title: 'The same module was rejected before' },
    ])
  })

  test('know another publisher of the same display name', async () => {
    await approve(await submit('of-mira', {}, { token: mira }))
    const other = await app.token({ subject: 'other', name: 'mira' })
    expect(await checksOf(await submit('not-of-mira', {}, { token: other }))).toEqual([
      'publisher-name-shared',
    ])
  })

  test('compare with the approved release', async () => {
    await approve(await submit('compared', { version: '1.2.0' }))
    const id = await submit('compared', { version: '1.1.0', license: 'Apache-2.0', category: 'Data' })
    expect(await checksOf(id)).toEqual(['version-lower', 'license-changed', 'category-changed'])
  })
})

describe('growth', () => {
  const random = '(import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))'

  test('is kept with the checks, and the queue marks it', async () => {
    const base = await approve(await submit('grows'))
    const id = await submit('grows', { version: '2.0.0' }, { wasm: await quietModule(910, random) })
    expect((await getDeskRelease(rita, id)).checks?.growth).toEqual({
      base: { id: base, version: '1.0.0' },
      capabilities: ['random'],
      functions: ['random_get'],
    })
    expect(await rowOf(id)).toMatchObject({ grew: true })
  })

  test('follows what is approved and revoked meanwhile', async () => {
    const growthOf = async (id: number): Promise<unknown> => (await getDeskRelease(rita, id)).checks?.growth
    const base = await approve(await submit('follows'))
    const middle = await submit('follows', { version: '2.0.0' }, { wasm: await quietModule(911, random) })
    const id = await submit('follows', { version: '3.0.0' }, { wasm: await quietModule(912, random) })
    expect(await rowOf(id)).toMatchObject({ grew: true })
    await approve(middle)
    expect(await growthOf(id)).toEqual({
      base: { id: middle, version: '2.0.0' },
      capabilities: [],
      functions: [],
    })
    expect(await rowOf(id)).toMatchObject({ grew: false })
    await app.decide(middle, 'revoked')
    expect(await growthOf(id)).toMatchObject({ base: { id: base }, capabilities: ['random'] })
    await app.decide(base, 'revoked')
    expect(await growthOf(id)).toEqual({ base: null, capabilities: [], functions: [] })
  })
})

describe('what the registry learns later', () => {
  test('is found in pending releases: a near name, another licence, a refused module', async () => {
    const near = await submit('laters')
    const theirs = await submit('later', {}, { token: mira })
    const first = await submit('sibling')
    const second = await submit('sibling', { version: '1.1.0', license: 'Apache-2.0' })
    const wasm = await quietModule(920)
    const same = await submit('same-bytes', {}, { wasm })
    const bad = await submit('bad-bytes', {}, { wasm })
    expect(await Promise.all([near, second].map(checksOf))).toEqual([[], []])
    await app.decide(theirs, 'approved')
    await app.decide(first, 'approved')
    await app.decide(bad, 'rejected')
    await until('all three are found', async () => {
      const [a, b, c] = await Promise.all([near, second, same].map(checksOf))
      return a?.includes('name-near') && b?.includes('license-changed') && c?.includes('module-refused')
    })
    expect(await rowOf(near)).toMatchObject({ errors: 1 })
    await app.decide(theirs, 'revoked')
    await until('the name is not near any more', async () => (await checksOf(near)).length === 0)
    expect(await rowOf(near)).toMatchObject({ errors: 0 })
  })

  test('changes nothing of a release that is decided', async () => {
    const decided = await approve(await submit('settled-x'))
    await approve(await submit('settled-y', {}, { token: mira }))
    const pending = await submit('settled-z')
    expect(await checksOf(pending)).toEqual(['name-near'])
    expect(await checksOf(decided)).toEqual([])
  })
})

describe('a release from before', () => {
  const forget = (id: number, sql: string): Promise<void> =>
    withDatabase(app, (database) => database.transact(() => void database.writer.prepare(sql).run(id)))
  const restart = async (): Promise<void> => {
    const { folder } = app
    await app.server.stop()
    app = await startTestRegistry({ folder, config: { undoMs: 0 } })
    rita = await signIn(app, 'rita')
  }
  const whenChecked = (id: number): Promise<DeskRelease> =>
    until('it is checked', async () => {
      const release = await getDeskRelease(rita, id)
      return release.checks?.version === checksVersion() && release
    })

  test('is checked after the next start, in any status, with what the module says of itself', async () => {
    const start = '(func $begin) (start $begin)'
    const pending = await submit('old-pending', { license: 'mit' }, { wasm: await quietModule(930, start) })
    const decided = await submit('old-decided', { license: 'mit' })
    await app.decide(decided, 'rejected')
    for (const id of [pending, decided]) {
      await forget(id, 'DELETE FROM release_checks WHERE release_id = ?')
      await forget(id, 'DELETE FROM release_modules WHERE release_id = ?')
      expect(await getDeskRelease(rita, id)).toMatchObject({ checks: null, module: null })
    }
    expect(await rowOf(pending)).toBeNull()
    await restart()
    expect((await whenChecked(pending)).checks?.findings.map(({ check }) => check)).toEqual([
      'start-function',
      'license-unknown',
    ])
    expect((await whenChecked(pending)).module?.details?.start).toBe(2)
    expect((await whenChecked(decided)).checks?.findings).toMatchObject([{ check: 'license-unknown' }])
    expect(await rowOf(pending)).toEqual({ errors: 0, warnings: 2, grew: false })
  })

  test('of other checks is checked again while it is pending, and stays as it is once it is decided', async () => {
    const pending = await submit('other-pending', { license: 'mit' })
    const decided = await submit('other-decided', { license: 'mit' })
    await app.decide(decided, 'rejected')
    for (const id of [pending, decided]) {
      await forget(id, "UPDATE release_checks SET version = '0', findings = '[]' WHERE release_id = ?")
    }
    await restart()
    expect((await whenChecked(pending)).checks?.findings).toMatchObject([{ check: 'license-unknown' }])
    expect((await getDeskRelease(rita, decided)).checks).toMatchObject({ version: '0', findings: [] })
  })

  test('whose bytes are gone or changed says so, and does not keep the others from being checked', async () => {
    const broken = await submit('broken')
    const [gone, changed, whole] = [await submit('gone'), await submit('changed'), await submit('whole')]
    const pathOf = async (id: number): Promise<string> =>
      join(dataPaths(app.folder).packages, (await getDeskRelease(rita, id)).sha256)
    await rm(await pathOf(gone))
    const bytes = await readFile(await pathOf(changed))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(await pathOf(changed), bytes)
    for (const id of [broken, gone, changed, whole]) {
      await forget(id, 'DELETE FROM release_checks WHERE release_id = ?')
    }
    // Something that nobody has thought of.
    await forget(broken, "UPDATE release_manifests SET manifest = CAST('{' AS BLOB) WHERE release_id = ?")
    await restart()
    expect((await whenChecked(whole)).checks?.findings).toEqual([])
    expect((await whenChecked(gone)).checks?.findings).toMatchObject([
      { check: 'module-unchecked', reason: expect.stringContaining('The file is missing.') },
    ])
    expect((await whenChecked(changed)).checks?.findings).toMatchObject([
      { check: 'module-unchecked', severity: 'error' },
    ])
    expect(app.logs.join('')).toContain('rechecking releases failed')
    const mended = { ...goodManifest, name: 'broken' }
    await withDatabase(app, (database) =>
      database.transact(
        () =>
          void database.writer
            .prepare('UPDATE release_manifests SET manifest = ? WHERE release_id = ?')
            .run(Buffer.from(JSON.stringify(mended)), broken),
      ),
    )
  })

  test('keeps nobody waiting: the services answer and stop while it cannot be checked', async () => {
    const id = await submit('waiting')
    await forget(id, 'DELETE FROM release_checks WHERE release_id = ?')
    const { folder } = app
    await app.server.stop()
    let asked = 0
    const silent = await startTestRegistry({
      folder,
      // A process that starts, takes every job and never answers.
      startHelper: () => {
        const onExit: (() => void)[] = []
        return {
          send: () => void (asked += 1),
          onMessage: (listener) => listener({ ready: true }),
          onExit: (listener) => void onExit.push(listener),
          kill: () => onExit.forEach((exited) => exited()),
        }
      },
    })
    await until('the check was asked for', () => asked > 0)
    const client = await signIn(silent, 'rita')
    expect((await getDeskRelease(client, id)).checks).toBeNull()
    await silent.server.stop()
    app = await startTestRegistry({ folder })
    rita = await signIn(app, 'rita')
    expect((await whenChecked(id)).checks?.findings).toEqual([])
  })
})
