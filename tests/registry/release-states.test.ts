import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReleaseState } from '../../src/shared/contracts/release-states.ts'
import { call } from '../support/server/publish.ts'
import { refusal, startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(() => app.stop())

const stateUrl = (name: string, version: string): string =>
  `${app.registry}/api/skilldock/skills/${name}/${version}/state`
const stateOf = async (name: string, version: string): Promise<ReleaseState> =>
  (await call<ReleaseState>(stateUrl(name, version))).body

test('the state of a release has its digest and the most recently submitted approved release', async () => {
  const first = await app.release({ name: 'steps', version: '2.0.0' }, 'approved')
  expect(await stateOf('steps', '2.0.0')).toMatchObject({
    name: 'steps',
    version: '2.0.0',
    sha256: expect.stringMatching(/^[a-f0-9]{64}$/),
    status: 'approved',
    latest: '2.0.0',
  })
  const second = await app.release({ name: 'steps', version: '1.9.0' }, 'approved')
  await app.release({ name: 'steps', version: '3.0.0' })
  expect(await stateOf('steps', '2.0.0')).toMatchObject({ status: 'approved', latest: '1.9.0' })
  await app.decide(second, 'revoked')
  expect(await stateOf('steps', '1.9.0')).toMatchObject({ status: 'revoked', latest: '2.0.0' })
  await app.decide(first, 'revoked')
  expect(await stateOf('steps', '2.0.0')).toMatchObject({ status: 'revoked', latest: null })
})

test('a release that was never approved has no public state', async () => {
  await app.release({ name: 'private', version: '1.0.0' })
  await app.release({ name: 'private', version: '1.0.1' }, 'rejected')
  const answers = await Promise.all(
    ['1.0.0', '1.0.1', '9.9.9'].map((version) => refusal(stateUrl('private', version))),
  )
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})
