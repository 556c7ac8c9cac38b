import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { cleanUp } from '../support/server/command-line.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let bob: string
beforeAll(async () => {
  app = await startTestRegistry()
  bob = await app.token({ subject: 'bob', name: 'Bob \u001B[31m' })
  await app.release({ name: 'shared' }, 'approved')
})
afterAll(async () => {
  await app.stop()
  await cleanUp()
})

const skill = (token: string, ...args: string[]): Promise<HereEnded> =>
  skillHere(args, { env: { SKILL_REGISTRY: app.registry, SKILL_TOKEN: token } })
const owner = (token: string, ...args: string[]): Promise<HereEnded> => skill(token, 'owner', ...args)

describe('skill owner', () => {
  test('offers, accepts and lists co-ownership, and skill info shows the owners', async () => {
    const offered = await owner(app.developer, 'offer', 'shared', 'bob')
    expect(offered).toMatchObject({ status: exitCodes.done, stderr: '' })
    expect(offered.stdout).toContain('Offered Bob \\u{1b}[31m co-ownership of shared until ')
    expect((await owner(app.developer, 'list')).stdout).toMatch(
      /^NAME +OWNERS +LATEST SUBMISSION\nshared +Alice +1\.0\.0 approved, by Alice\n\nOpen offers of your names\n {2}1 {2}shared: Alice offers Bob .+ co-ownership, until \d{4}-\d\d-\d\d\n$/,
    )
    expect((await owner(bob, 'list')).stdout).toMatch(
      /^You don't own any names yet\..+\n\nOffers to you\n {2}1 {2}shared: /,
    )
    expect((await owner(bob, 'accept', 'shared')).stdout).toBe('You now own shared.\n')
    expect((await owner(app.developer, 'list', 'shared')).stdout).toBe(
      'Owners of shared: Alice, Bob \\u{1b}[31m\n',
    )
    expect((await skill(bob, 'info', 'shared')).stdout).toMatch(/^owners +Alice, Bob /m)
    const { stdout } = await skill(bob, 'info', 'shared', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      owners: [{ publisher: 'Alice' }, { publisher: 'Bob \u001B[31m' }],
    })
  })

  test('declines, withdraws, transfers and leaves', async () => {
    await app.release({ name: 'passed-on' }, 'approved')
    await owner(app.developer, 'offer', 'passed-on', 'bob')
    expect((await owner(bob, 'decline', 'passed-on')).stdout).toBe('Declined the offer of passed-on.\n')
    const { stdout } = await owner(app.developer, 'offer', 'passed-on', 'bob', '--json')
    const { id } = (JSON.parse(stdout) as { offer: { id: number } }).offer
    expect((await owner(app.developer, 'withdraw', String(id))).stdout).toBe(`Withdrew offer ${id}.\n`)
    expect((await owner(app.developer, 'offer', 'passed-on', 'bob', '--transfer')).stdout).toContain(
      'Offered to transfer passed-on to Bob',
    )
    await owner(bob, 'accept', 'passed-on')
    expect((await owner(bob, 'list', 'passed-on')).stdout).toMatch(/^Owners of passed-on: Bob [^,]+$/)
    expect((await owner(app.developer, 'leave', 'shared')).stdout).toBe('You no longer own shared.\n')
    const last = await owner(bob, 'leave', 'shared')
    expect(last.status).toBe(exitCodes.refused)
    expect(last.stderr).toContain('Nobody else with access owns shared.')
  })

  test.each([
    [['give', 'shared'], exitCodes.usage, 'Use one of list, offer,'],
    [['offer', 'shared'], exitCodes.usage, 'not the arguments of skill owner offer'],
    [['withdraw', 'shared'], exitCodes.usage, 'not the arguments of skill owner withdraw'],
    [['accept', 'never-offered'], exitCodes.notFound, 'no open offer of never-offered'],
    [['list', 'never-approved'], exitCodes.notFound, 'no approved release never-approved'],
    // Another token of the same person would not help.
    [
      ['offer', 'never-submitted', 'bob'],
      exitCodes.notAllowed,
      /^skill: You don't own the name never-submitted\. [^\n]+\n$/,
    ],
  ])('%j fails with a reason', async (args, status, reason) => {
    const run = await owner(app.developer, ...args)
    expect(run.status).toBe(status)
    expect(run.stderr).toMatch(reason)
  })
})
