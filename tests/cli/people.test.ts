import { decodeJwt } from 'jose'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import { cleanUp, serve, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import { call } from '../support/server/publish.ts'

let data: string

beforeEach(() => {
  data = temporaryFolder()
})
afterAll(cleanUp)

const people = (...args: string[]) => skilldockHere(data, ['people', ...args])

interface Row {
  subject: string
  name: string | null
  role: string
  removedAt: string | null
}
const list = async (): Promise<Row[]> => JSON.parse((await people('list', '--json')).stdout) as Row[]

test('add and list, as text and as JSON', async () => {
  expect(await people('list')).toMatchObject({
    status: 0,
    stdout: 'No people yet. Add an administrator: skilldock people add NAME --role admin\n',
    stderr: '',
  })
  expect(await list()).toEqual([])
  expect(await people('add', 'rita', '--name', 'Rita R.', '--role', 'admin')).toMatchObject({
    status: 0,
    stdout: 'rita is an administrator. Create a token: skilldock token --subject rita\n',
  })
  expect(await people('add', 'alice')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^alice is a developer/),
  })
  expect(await list()).toEqual([
    expect.objectContaining({ subject: 'alice', name: null, role: 'developer', removedAt: null }),
    expect.objectContaining({ subject: 'rita', name: 'Rita R.', role: 'administrator', removedAt: null }),
  ])
  const table = (await people('list')).stdout.split('\n')
  expect(table[0]).toMatch(/^SUBJECT +NAME +ROLE +STATUS +ID$/)
  expect(table[1]).toMatch(/^alice +none +developer +active +\d+$/)
  expect(table[2]).toMatch(/^rita +Rita R\. +administrator +active +\d+$/)
  expect(await people('add', 'alice')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'A person with the sign-in name "alice" already exists.\n',
  })
})

test('roles, the last administrator, and removal with all tokens', async () => {
  await people('add', 'rita', '--role', 'admin')
  const only = 'rita is the only administrator. Make someone else an administrator first.\n'
  expect(await people('role', 'rita', 'developer')).toMatchObject({ status: 1, stdout: '', stderr: only })
  expect(await people('remove', 'rita')).toMatchObject({ status: 1, stdout: '', stderr: only })

  await people('add', 'alice')
  expect(await people('role', 'alice', 'admin')).toMatchObject({
    status: 0,
    stdout: 'alice is now an administrator.\n',
  })
  for (const role of ['reviewer', 'editor', 'developer']) {
    expect(await people('role', 'alice', role)).toMatchObject({
      status: 0,
      stdout: `alice is now ${role === 'editor' ? 'an' : 'a'} ${role}.\n`,
    })
  }
  expect((await list()).find(({ subject }) => subject === 'alice')?.role).toBe('developer')
  await people('role', 'alice', 'admin')
  const server = await serve(data)
  const token = await tokenHere(data, '--subject', 'rita')
  const request = () => call<{ code?: string }>(`${server.registry}/api/marketplace/review`, { token })
  expect((await request()).status).toBe(200)
  expect(await people('remove', 'rita')).toMatchObject({
    status: 0,
    stdout: 'Removed rita and revoked all their tokens.\n',
  })
  expect(await request()).toMatchObject({ status: 401, body: { code: 'TOKEN_REVOKED' } })
  expect(await people('remove', 'alice')).toMatchObject({ status: 1 })
  await server.stop()

  expect((await list()).map((row) => [row.subject, row.removedAt === null])).toEqual([
    ['alice', true],
    ['rita', false],
  ])
  expect((await people('list')).stdout).toMatch(/^rita .* removed \d{4}-/m)
  expect(await skilldockHere(data, ['token', '--subject', 'rita'])).toMatchObject({ status: 1, stdout: '' })
  // A person who is added again is a developer with the same id.
  expect(await people('add', 'rita')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/a developer/),
  })
  expect((await people('tokens', 'rita')).stdout).toMatch(/revoked \d{4}-/)
})

test('if two administrators make each other developers at once, one stays', async () => {
  await people('add', 'anna', '--role', 'admin')
  await people('add', 'bert', '--role', 'admin')
  const runs = await Promise.all(
    ['anna', 'bert'].map((subject) => skilldock(data, ['people', 'role', subject, 'developer'])),
  )
  expect(runs.map((run) => String(run.status)).toSorted()).toEqual(['0', '1'])
  expect((await list()).filter((row) => row.role === 'administrator')).toHaveLength(1)
})

test('tokens and revoke', async () => {
  expect(await people('tokens', 'alice')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'There is no person "alice". To see all people, run: skilldock people list\n',
  })
  await people('add', 'alice')
  expect((await people('tokens', 'alice')).stdout).toMatch(/^alice has no tokens\./)
  expect(JSON.parse((await people('tokens', 'alice', '--json')).stdout)).toEqual([])
  const token = await tokenHere(data, '--subject', 'alice', '--label', 'laptop')
  const jti = decodeJwt(token).jti ?? ''
  const listed = await people('tokens', 'alice')
  expect(listed.stdout).toMatch(new RegExp(`^${jti} +laptop +full access +valid until \\d{4}-.* never$`, 'm'))
  expect(listed.stdout).not.toContain(token.split('.')[2])

  const server = await serve(data)
  const request = () => call<{ code?: string }>(`${server.registry}/api/marketplace/mine`, { token })
  expect((await request()).status).toBe(200)
  expect(await people('revoke', jti)).toMatchObject({ status: 0, stdout: `Revoked token ${jti}.\n` })
  expect(await request()).toMatchObject({ status: 401, body: { code: 'TOKEN_REVOKED' } })
  await server.stop()
  expect(await people('revoke', jti)).toMatchObject({ status: 1, stdout: '' })
  expect(await people('revoke', 'no-such-id')).toMatchObject({ status: 1, stdout: '' })
})
