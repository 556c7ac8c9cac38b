import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { digestOf } from '../../src/client/installed/installed-skills.ts'
import { cleanUpClients, oldestNode, runClient } from '../support/client/client.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
  await app.release({ name: 'csv-to-json', description: 'Reads tables, writes objects.' }, 'approved')
  await app.release({ name: 'csv-to-json', version: '1.1.0', description: 'The same, faster.' }, 'approved')
  await app.release({ name: 'word-count', category: 'Calculators' }, 'approved')
  await app.release({ name: 'not-yet' })
  await app.release({ name: 'never' }, 'rejected')
  await app.release({ name: 'no-more' }, 'approved', 'revoked')
})
afterAll(async () => {
  await app.stop()
  await cleanUpClients()
})

const skill = (...args: string[]): Promise<HereEnded> =>
  skillHere(args, { env: { SKILL_REGISTRY: app.registry } })

async function found(...args: string[]): Promise<{ names: string[]; nextOffset: number | null }> {
  const { stdout } = await skill('search', ...args, '--json')
  const { items, nextOffset } = JSON.parse(stdout) as {
    items: { name: string; version: string }[]
    nextOffset: number | null
  }
  return { names: items.map(({ name, version }) => `${name}@${version}`), nextOffset }
}

describe('skill search', () => {
  test('lists approved releases, newest first, with publisher and description', async () => {
    const { status, stdout } = await skill('search')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toBe(
      [
        'NAME         VERSION  PUBLISHER  DESCRIPTION',
        'word-count   1.0.0    Alice      Turns every letter into its capital.',
        'csv-to-json  1.1.0    Alice      The same, faster.',
        'csv-to-json  1.0.0    Alice      Reads tables, writes objects.',
        '',
      ].join('\n'),
    )
  })

  test('matches a part of the name, the description, the category or the publisher', async () => {
    expect((await found('CSV')).names).toEqual(['csv-to-json@1.1.0', 'csv-to-json@1.0.0'])
    expect((await found('writes', 'objects')).names).toEqual(['csv-to-json@1.0.0'])
    expect((await found('calculators')).names).toEqual(['word-count@1.0.0'])
    expect((await found('alice')).names).toHaveLength(3)
    expect((await found('%')).names).toEqual([])
  })

  test('shows nothing that is pending, rejected or revoked', async () => {
    for (const name of ['not-yet', 'never', 'no-more']) {
      const { status, stdout } = await skill('search', name)
      expect(status).toBe(exitCodes.done)
      expect(stdout).toBe(`No approved skills match "${name}".\n`)
    }
  })

  test('prints everything a script needs with --json', async () => {
    const { stdout } = await skill('search', 'word', '--json')
    expect(JSON.parse(stdout)).toEqual({
      items: [
        {
          name: 'word-count',
          version: '1.0.0',
          description: 'Turns every letter into its capital.',
          category: 'Calculators',
          publisher: 'Alice',
          size: app.wasm.length,
          sha256: digestOf(app.wasm),
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        },
      ],
      nextOffset: null,
    })
  })

  test('shows fifty per page, and says how to see more', async () => {
    for (let count = 0; count < 51; count += 1) await app.release({ name: `many-${count}` }, 'approved')
    const { names, nextOffset } = await found('many')
    expect(names).toHaveLength(50)
    expect(nextOffset).toBe(50)
    expect((await skill('search', 'many')).stdout).toMatch(/\nFor more: --offset 50\n$/)
    expect(await found('many', '--offset', '50')).toEqual({ names: ['many-0@1.0.0'], nextOffset: null })
    expect((await skill('search', 'many', '--offset', '51')).stdout).toBe(
      'No approved skills match "many" after the first 51.\n',
    )
  })

  test('shows the error of the registry for a query that is too long', async () => {
    const { status, stderr } = await skill('search', 'x'.repeat(101))
    expect(status).toBe(exitCodes.refused)
    expect(stderr).toMatch(/^skill: .*q .*100/)
  })
})

describe('skill info', () => {
  test('shows the latest approved release, or the given version', async () => {
    const newest = await skill('info', 'csv-to-json')
    expect(newest.status).toBe(exitCodes.done)
    expect(newest.stdout).toMatch(/^csv-to-json 1\.1\.0\nThe same, faster\.\n/)
    const { stdout } = await skill('info', 'csv-to-json@1.0.0')
    expect(stdout).toMatch(/^csv-to-json 1\.0\.0\nReads tables, writes objects\.\n/)
    for (const line of [
      'publisher  Alice\n',
      'license    MIT\n',
      `sha256     ${digestOf(app.wasm)}\n`,
      'review     approved by Reviewer 2 on ',
      'Install it with: skill install csv-to-json@1.0.0\n',
    ]) {
      expect(stdout).toContain(line)
    }
  })

  test('prints the release and its review statement with --json', async () => {
    const { stdout } = await skill('info', 'word-count', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      release: { name: 'word-count', status: 'approved', manifest: { category: 'Calculators' } },
      review: { action: 'approved', decidedBy: 'Reviewer 2' },
    })
  })

  test.each(['not-yet', 'never', 'no-more', 'csv-to-json@9.0.0', 'does-not-exist'])(
    'does not find %s',
    async (name) => {
      const { status, stdout, stderr } = await skill('info', name)
      expect({ status, stdout }).toEqual({ status: exitCodes.notFound, stdout: '' })
      expect(stderr).toMatch(/^skill: .*\.\n/)
    },
  )
})

test('the built client works the same with the oldest Node', async () => {
  const options = { env: { SKILL_REGISTRY: app.registry }, node: oldestNode }
  const { status, stdout, stderr } = await runClient(['search', 'csv'], options)
  expect({ status, stderr }).toEqual({ status: exitCodes.done, stderr: '' })
  expect(stdout).toBe((await skill('search', 'csv')).stdout)
})
