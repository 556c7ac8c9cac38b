import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { cleanUpClients, runClient } from '../support/client/client.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { quietManifest, writeProject } from '../support/client/skill-project.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startJobIssuer } from '../support/server/job-issuer.ts'
import type { JobIssuer } from '../support/server/job-issuer.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'

const subject = 'repo:octo/from-ci:ref:refs/heads/main'
const workflow = 'octo/from-ci/.github/workflows/release.yml@refs/heads/main'
const job = {
  repository: 'octo/from-ci',
  repository_id: '101',
  repository_owner_id: '7',
  workflow_ref: workflow,
  job_workflow_ref: workflow,
  sha: '0123456789abcdef0123456789abcdef01234567',
}

let app: TestRegistry
let issuer: JobIssuer
/** The address at which a runner of GitHub Actions asks for its identity token. */
let runner: { url: string; seen: IncomingMessage[]; answer: string | null; stop(): void }
beforeAll(async () => {
  const port = await findFreePort()
  issuer = await startJobIssuer([`http://127.0.0.1:${port}`], { [subject]: job })
  app = await startTestRegistry({ config: { port, issuers: [issuer.settings] } })
  runner = await startRunner()
})
afterAll(async () => {
  runner.stop()
  await app.stop()
  await issuer.stop()
  await cleanUpClients()
})

async function startRunner(): Promise<typeof runner> {
  const server = createServer((req, res) => {
    started.seen.push(req)
    const audience = new URL(req.url ?? '', 'http://runner').searchParams.get('audience') ?? ''
    const token = started.answer ?? issuer.issue(subject, audience)
    void Promise.resolve(token).then((value) => res.end(JSON.stringify({ count: 1, value })))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const started: typeof runner = {
    url: `http://127.0.0.1:${port}/idtoken?api-version=2.0`,
    seen: [],
    answer: null,
    stop: () => void server.close(),
  }
  return started
}

const owner = (...args: string[]): Promise<HereEnded> =>
  skillHere(args, { env: { SKILL_REGISTRY: app.registry, SKILL_TOKEN: app.developer } })
const actions = (): Record<string, string> => ({
  SKILL_REGISTRY: app.registry,
  ACTIONS_ID_TOKEN_REQUEST_URL: runner.url,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'the token of the runner',
})
const project = (name: string, version = '1.1.0'): Promise<string> =>
  writeProject({ manifest: quietManifest({ name, version }), wasm: app.wasm })
const versions = async (name: string): Promise<RegistryVersion[]> =>
  (await call<List>(`${app.api}/mine`, { token: app.developer })).body.items.filter(
    (one) => one.name === name,
  )
const trust = (name: string, environment?: string): Promise<{ status: number }> =>
  call(`${app.registry}/api/skilldock/names/${name}/publishers`, {
    token: app.developer,
    method: 'POST',
    body: {
      provider: 'github',
      repository: 'octo/from-ci',
      workflow: 'release.yml',
      issuer: issuer.url,
      ...(environment !== undefined && { environment }),
    },
  })

describe('skill publish in a job of GitHub Actions', () => {
  test('publishes with the identity token of the job and no stored one, on the built client', async () => {
    await app.release({ name: 'from-ci' }, 'approved')
    expect(await trust('from-ci')).toMatchObject({ status: 201 })
    const { status, stdout, stderr } = await runClient(['publish', await project('from-ci')], {
      env: actions(),
    })
    expect(stderr).toContain('Publishing from-ci as a job that it trusts.')
    expect(stdout).toContain('Submitted from-ci 1.1.0.')
    expect(status).toBe(exitCodes.done)
    const [request] = runner.seen
    expect(request?.url).toContain(`api-version=2.0&audience=${encodeURIComponent(app.registry)}`)
    expect(request?.headers.authorization).toBe('Bearer the token of the runner')
    const [release] = await versions('from-ci')
    expect(release).toMatchObject({ version: '1.1.0', publisher: 'Alice', status: 'pending' })
    // Each run gets a new identity token; the version exists by now.
    const again = await skillHere(['publish', await project('from-ci')], { env: actions() })
    expect(again).toMatchObject({ status: exitCodes.refused })
    expect(again.stderr).toContain('has already been submitted')
    await app.decide(release?.id ?? 0, 'approved')
    expect((await owner('info', 'from-ci')).stdout).toMatch(
      /^source +octo\/from-ci, commit 0123456789ab, \.github\/workflows\/release\.yml@refs\/heads\/main$/m,
    )
  })

  test('says which claims the registry does not trust, and uploads nothing', async () => {
    await app.submit({ name: 'not-trusted' })
    await trust('not-trusted', 'release')
    const { status, stderr } = await skillHere(['publish', await project('not-trusted')], { env: actions() })
    expect(status).toBe(exitCodes.notAllowed)
    expect(stderr).toContain('No trusted publisher of not-trusted matches this job: environment is missing.')
    expect(stderr).not.toContain('skill login')
    expect(await versions('not-trusted')).toHaveLength(1)
  })

  test('uses SKILL_TOKEN if it is set, and reports an answer without a token', async () => {
    runner.seen.length = 0
    await app.submit({ name: 'by-token' })
    const env = { ...actions(), SKILL_TOKEN: app.developer }
    expect(await skillHere(['publish', await project('by-token')], { env })).toMatchObject({ status: 0 })
    expect(runner.seen).toEqual([])
    runner.answer = ''
    const { status, stderr } = await skillHere(['publish', await project('by-token', '1.2.0')], {
      env: actions(),
    })
    runner.answer = null
    expect(status).not.toBe(0)
    expect(stderr).toContain('No token was given.')
  })
})

test('skill publish elsewhere takes the identity token from SKILL_ID_TOKEN', async () => {
  await app.submit({ name: 'from-variable' })
  await trust('from-variable')
  const env = { SKILL_REGISTRY: app.registry, SKILL_ID_TOKEN: await issuer.issue(subject, app.registry) }
  expect(await skillHere(['publish', await project('from-variable')], { env })).toMatchObject({ status: 0 })
  const again = await skillHere(['publish', await project('from-variable', '1.2.0')], { env })
  expect(again.stderr).toContain('This identity token has already been exchanged. Request a new one.')
  const nonsense = { ...env, SKILL_ID_TOKEN: 'two words' }
  expect((await skillHere(['publish', await project('from-variable')], { env: nonsense })).stderr).toContain(
    'The value of SKILL_ID_TOKEN is not a token.',
  )
})
