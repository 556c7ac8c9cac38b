import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { DeskRelease, QueueRow } from '../../src/shared/contracts/desk-review.ts'
import type { JudgedFinding } from '../../src/shared/contracts/findings.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
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
  // The last server may be a restarted one with the same folder.
  await rm(app.folder, { recursive: true, force: true })
})

/** Runs after the registry was read for a submission and before the submission is checked. */
let beforeCheck = async (): Promise<void> => {}

let modules = 0
/** Submits a release that only has the findings that the test provokes. */
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

describe('findings of a submission', () => {
  test('are empty if nothing is wrong', async () => {
    const id = await submit('quiet')
    const { checks } = await getDeskRelease(rita, id)
    expect(checks).toMatchObject({
      version: checksVersion(),
      findings: [],
      growth: { base: null, capabilities: [], functions: [] },
    })
    expect(await rowOf(id)).toEqual({ errors: 0, warnings: 0, grew: false })
  })

  test('are computed again if the registry changed during the check', async () => {
    const rival = await submit('racing-name')
    beforeCheck = async () => {
      beforeCheck = async () => {}
      await approve(rival)
    }
    const id = await submit('racing-names', {}, { token: mira })
    await expect.poll(() => checksOf(id)).toContain('name-near')
  })

  test('have a place, a reason and advice, most severe first, and are counted in the queue', async () => {
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
  ])('report a name that is %s from an approved one of another publisher', async (_, name) => {
    if ((await rita.get<{ total: number }>('/releases?view=all&q=near-name')).body.total === 0) {
      await approve(await submit('near-name', {}, { token: mira }))
    }
    const [finding] = await findingsOf(await submit(name))
    expect(finding).toMatchObject({ check: 'name-near', severity: 'error', place: { field: 'name' } })
    expect(finding?.reason).toContain('near-name is approved and belongs to Mira.')
  })

  test('ignore similar names of the same publisher and names without an approved release', async () => {
    await approve(await submit('own-name'))
    await submit('late-name', {}, { token: mira })
    expect(await checksOf(await submit('own-names'))).toEqual([])
    expect(await checksOf(await submit('late-names'))).toEqual([])
  })

  test('report a module that another publisher submitted or that was rejected', async () => {
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

  test('report another publisher with the same display name', async () => {
    await approve(await submit('of-mira', {}, { token: mira }))
    const other = await app.token({ subject: 'other', name: 'mira' })
    expect(await checksOf(await submit('not-of-mira', {}, { token: other }))).toEqual([
      'publisher-name-shared',
    ])
  })

  test('report differences from the approved release', async () => {
    await approve(await submit('compared', { version: '1.2.0' }))
    const id = await submit('compared', { version: '1.1.0', license: 'Apache-2.0', category: 'Data' })
    expect(await checksOf(id)).toEqual(['version-lower', 'license-changed', 'category-changed'])
  })
})

describe('new capabilities', () => {
  const random = '(import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))'

  test('are stored with the checks and marked in the queue', async () => {
    const base = await approve(await submit('grows'))
    const id = await submit('grows', { version: '2.0.0' }, { wasm: await quietModule(910, random) })
    expect((await getDeskRelease(rita, id)).checks?.growth).toEqual({
      base: { id: base, version: '1.0.0' },
      capabilities: ['random'],
      functions: ['random_get'],
    })
    expect(await rowOf(id)).toMatchObject({ grew: true })
  })

  test('are recomputed when other releases are approved or revoked', async () => {
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

describe('a later change to the registry', () => {
  test('updates pending releases: a similar name, a different license, a rejected module', async () => {
    const near = await submit('laters')
    const similar = await submit('later', {}, { token: mira })
    const first = await submit('sibling')
    const second = await submit('sibling', { version: '1.1.0', license: 'Apache-2.0' })
    const wasm = await quietModule(920)
    const same = await submit('same-bytes', {}, { wasm })
    const bad = await submit('bad-bytes', {}, { wasm })
    expect(await Promise.all([near, second].map(checksOf))).toEqual([[], []])
    await app.decide(similar, 'approved')
    await app.decide(first, 'approved')
    await app.decide(bad, 'rejected')
    await until('all three are found', async () => {
      const [a, b, c] = await Promise.all([near, second, same].map(checksOf))
      return a?.includes('name-near') && b?.includes('license-changed') && c?.includes('module-refused')
    })
    expect(await rowOf(near)).toMatchObject({ errors: 1 })
    await app.decide(similar, 'revoked')
    await until('the name is no longer similar', async () => (await checksOf(near)).length === 0)
    expect(await rowOf(near)).toMatchObject({ errors: 0 })
  })

  test('does not affect a decided release', async () => {
    const decided = await approve(await submit('settled-x'))
    await approve(await submit('settled-y', {}, { token: mira }))
    const pending = await submit('settled-z')
    expect(await checksOf(pending)).toEqual(['name-near'])
    expect(await checksOf(decided)).toEqual([])
  })
})

describe('a release with old or missing checks', () => {
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

  test('is checked after the next start, in any status, including details of the module', async () => {
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
    // Reviewers wait for pending ones.
    expect((await getDeskRelease(rita, decided)).checks).toBeNull()
    expect((await whenChecked(decided)).checks?.findings).toMatchObject([{ check: 'license-unknown' }])
    expect(await rowOf(pending)).toEqual({ errors: 0, warnings: 2, grew: false })
  })

  test('is checked again while it is pending, but not once it is decided', async () => {
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

  test('whose file is missing or changed says so, and the others are still checked', async () => {
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
    // An unexpected error.
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
    const fixed = { ...goodManifest, name: 'broken' }
    await withDatabase(app, (database) =>
      database.transact(
        () =>
          void database.writer
            .prepare('UPDATE release_manifests SET manifest = ? WHERE release_id = ?')
            .run(Buffer.from(JSON.stringify(fixed)), broken),
      ),
    )
  })

  test('blocks neither responses nor a stop while it cannot be checked', async () => {
    const id = await submit('waiting')
    await forget(id, 'DELETE FROM release_checks WHERE release_id = ?')
    const { folder } = app
    await app.server.stop()
    let requests = 0
    const silent = await startTestRegistry({
      folder,
      // A process that starts, accepts every job and never responds.
      startHelper: () => {
        const onExit: (() => void)[] = []
        return {
          send: () => void (requests += 1),
          onMessage: (listener) => listener({ ready: true }),
          onExit: (listener) => void onExit.push(listener),
          kill: () => onExit.forEach((exited) => exited()),
        }
      },
    })
    await until('the check was requested', () => requests > 0)
    const client = await signIn(silent, 'rita')
    expect((await getDeskRelease(client, id)).checks).toBeNull()
    await silent.server.stop()
    app = await startTestRegistry({ folder })
    rita = await signIn(app, 'rita')
    expect((await whenChecked(id)).checks?.findings).toEqual([])
  })
})
