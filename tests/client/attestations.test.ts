import { generateKeyPairSync, sign } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { preAuthEncoding } from '../../src/shared/attestation.ts'
import type { Envelope } from '../../src/shared/contracts/attestations.ts'
import { currentAttestationKey } from '../support/client/attestation-key.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { answerWith, changeJson, refuseWith, startHostileServer } from '../support/client/hostile-server.ts'
import type { HostileServer } from '../support/client/hostile-server.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { folderState } from '../support/server/folder-state.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
/** The registry, through a server that can falsify its answers. */
let proxy: HostileServer
beforeAll(async () => {
  app = await startTestRegistry()
  proxy = await startHostileServer(app)
  await app.release({ name: 'tool', version: '1.0.0' }, 'approved')
  const other = padModule(app.wasm, 1000)
  await app.decide(await app.submit({ name: 'tool', version: '2.0.0' }, app.developer, other), 'approved')
})
afterAll(async () => {
  await proxy.stop()
  await app.stop()
})
beforeEach(() => proxy.reset())

const skill = (folder: string, ...args: string[]): Promise<HereEnded> =>
  skillHere(args, { folder, env: { SKILL_REGISTRY: proxy.url } })

interface ErrorOutput {
  error: { code: string; exitCode: number; message: string }
}

/** Expects that it fails and changes nothing. */
async function refused(folder: string, ...args: string[]): Promise<ErrorOutput['error']> {
  const before = await folderState(folder)
  const { stdout, status } = await skill(folder, ...args, '--json')
  expect(await folderState(folder)).toEqual(before)
  const { error } = JSON.parse(stdout) as ErrorOutput
  expect(error.exitCode).toBe(status)
  return error
}

async function folderWith(...names: string[]): Promise<string> {
  const folder = temporaryFolder()
  expect(await skill(folder, 'install', ...names)).toMatchObject({ status: exitCodes.done, stderr: '' })
  return folder
}

const lockOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'skill-lock.json'), 'utf8')) as {
    keys?: Record<string, { kid: string; x: string }>
  }

/** A key of an attacker, who can sign anything with it. */
const attackersKey = generateKeyPairSync('ed25519').privateKey
const signedByAttacker = ({ payload, payloadType, signatures }: Envelope): Envelope => ({
  payload,
  payloadType,
  signatures: signatures.map(({ keyid }) => ({
    keyid,
    sig: sign(null, preAuthEncoding(payloadType, Buffer.from(payload, 'base64')), attackersKey).toString(
      'base64',
    ),
  })),
})

describe('skill install', () => {
  test('pins the key of the registry in the lock file', async () => {
    const folder = await folderWith('tool')
    expect((await lockOf(folder)).keys).toEqual({ [proxy.url]: await currentAttestationKey(app.registry) })
  })

  test.each<[string, (envelope: Envelope) => Envelope]>([
    ['signed with another key under the same id', signedByAttacker],
    [
      'whose text was changed',
      (envelope) => ({
        ...envelope,
        payload: Buffer.from(
          Buffer.from(envelope.payload, 'base64').toString().replace('"approved"', '"approved" '),
        ).toString('base64'),
      }),
    ],
    ['of another type', (envelope) => ({ ...envelope, payloadType: 'application/json' })],
  ])('refuses an approval %s, also at the first contact', async (_what, change) => {
    proxy.when(/\/attestations\/tool\//, changeJson(app.registry, change))
    const expected = { code: 'ATTESTATION_INVALID', exitCode: exitCodes.mismatch }
    expect(await refused(temporaryFolder(), 'install', 'tool')).toMatchObject(expected)
    proxy.reset()
    const folder = await folderWith('tool@1.0.0')
    proxy.when(/\/attestations\/tool\//, changeJson(app.registry, change))
    expect(await refused(folder, 'install', 'tool')).toMatchObject(expected)
    expect(await refused(folder, 'install', '--frozen')).toMatchObject(expected)
  })

  test('refuses the approval of another release, although it is signed', async () => {
    const answer = await fetch(`${app.registry}/api/skilldock/attestations/tool/1.0.0`)
    const envelope = (await answer.json()) as Envelope
    proxy.when(/\/attestations\/tool\/2/, answerWith(200, JSON.stringify(envelope)))
    expect(await refused(temporaryFolder(), 'install', 'tool')).toMatchObject({ code: 'ATTESTATION_INVALID' })
  })

  test('refuses other bytes under an approved version', async () => {
    const other = '0'.repeat(64)
    proxy.when(
      /\/skills\/tool$/,
      changeJson(app.registry, (release: object) => ({ ...release, sha256: other })),
    )
    expect(await refused(temporaryFolder(), 'install', 'tool')).toMatchObject({ code: 'ATTESTATION_INVALID' })
  })

  test('refuses a missing approval once a key is pinned, and accepts it from a registry that never signed', async () => {
    const none = refuseWith(404, 'NOT_FOUND')
    const folder = await folderWith('tool@1.0.0')
    proxy.when(/\/attestations\//, none)
    expect(await refused(folder, 'install', 'tool')).toMatchObject({
      code: 'NOT_ATTESTED',
      exitCode: exitCodes.mismatch,
    })
    expect(await lockOf(await folderWith('tool'))).not.toHaveProperty('keys')
  })
})

describe('after a change of the key', () => {
  const rotate = async (): Promise<void> => {
    const { config } = app.server.settings
    await app.server.settings.save({ 'attestation.key': config['attestation.key'] + 2 })
  }

  test('the new key is pinned, because the former ones vouch for it', async () => {
    const folder = await folderWith('tool@1.0.0')
    const former = await currentAttestationKey(app.registry)
    await rotate()
    expect((await skill(folder, 'install', '--frozen')).status).toBe(exitCodes.done)
    expect((await lockOf(folder)).keys).toEqual({ [proxy.url]: former })
    expect((await skill(folder, 'install')).status).toBe(exitCodes.done)
    const current = await currentAttestationKey(app.registry)
    expect(current.kid).not.toBe(former.kid)
    expect((await lockOf(folder)).keys).toEqual({ [proxy.url]: current })
  })

  test.each<[string, (body: { rotations: Envelope[] }) => { rotations: Envelope[] }]>([
    ['nothing vouches for', () => ({ rotations: [] })],
    ['an attacker vouches for', ({ rotations }) => ({ rotations: rotations.map(signedByAttacker) })],
    ['only a later key vouches for', ({ rotations }) => ({ rotations: rotations.slice(-1) })],
  ])('a key that %s is refused', async (_what, change) => {
    const folder = await folderWith('tool@1.0.0')
    await rotate()
    proxy.when(/\/attestations\/rotations$/, changeJson(app.registry, change))
    const expected = { code: 'ATTESTED_BY_OTHER_KEY', exitCode: exitCodes.mismatch }
    expect(await refused(folder, 'install', 'tool')).toMatchObject(expected)
    expect(await refused(folder, 'verify')).toMatchObject(expected)
  })
})

describe('skill verify', () => {
  test('verifies modules and approvals, and says what differs', async () => {
    const folder = await folderWith('tool')
    expect(await skill(folder, 'verify')).toMatchObject({
      status: exitCodes.done,
      stdout: '✓ tool@2.0.0 is the module that was approved.\n',
    })
    const before = await folderState(folder)
    await writeFile(join(folder, 'skills/tool/skill.wasm'), 'changed')
    const { status, stdout } = await skill(folder, 'verify', '--json')
    expect(status).toBe(exitCodes.failed)
    expect(JSON.parse(stdout)).toMatchObject({ skills: [{ name: 'tool', verdict: 'changed' }] })
    await skill(folder, 'install')
    expect(await folderState(folder)).toEqual(before)
    expect((await skill(folder, 'verify', 'tool')).status).toBe(exitCodes.done)
  })

  test('a revoked release is reported as such, and the others are verified', async () => {
    const id = await app.release({ name: 'revoked-tool' }, 'approved')
    const folder = await folderWith('revoked-tool', 'tool')
    await app.decide(id, 'revoked')
    expect(await skill(folder, 'verify')).toMatchObject({
      status: exitCodes.failed,
      stdout: [
        '✗ revoked-tool@1.0.0 was revoked, so its approval is not valid. Do not run it. For details, run: skill audit',
        '✓ tool@2.0.0 is the module that was approved.',
        '',
      ].join('\n'),
    })
  })

  test('a registry that signs no approvals is reported, unless the module differs', async () => {
    proxy.when(/\/attestations\//, refuseWith(404, 'NOT_FOUND'))
    const folder = await folderWith('tool')
    expect(await skill(folder, 'verify')).toMatchObject({
      status: exitCodes.failed,
      stdout: '✗ The registry of tool@2.0.0 signs no approvals.\n',
    })
    await writeFile(join(folder, 'skills/tool/skill.wasm'), 'changed')
    expect((await skill(folder, 'verify')).stdout).toContain(
      '✗ The module of tool@2.0.0 differs from the lock file.',
    )
  })
})
