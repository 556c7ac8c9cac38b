import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { certificateFiles } from '../support/server/certificate-files.ts'
import { clientEnvironment } from '../support/client/client.ts'
import { tokenHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { readWorkflow, runJob } from '../support/client/workflow.ts'
import type { RanStep } from '../support/client/workflow.ts'

const workflow = readWorkflow(join(projectRoot, 'docs/examples/publish-skill.yml'))
const source = join(projectRoot, 'resources/skills/csv-to-json')

describe('the workflow', () => {
  const steps = workflow.jobs['publish']?.steps ?? []
  const runs = steps.flatMap((step) => ('run' in step ? [step] : []))

  test('is started only by a tag, and can only read the repository', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*.*.*'] } })
    expect(workflow.permissions).toEqual({ contents: 'read' })
  })

  test('pins the action it uses to one commit, and leaves no credentials behind', () => {
    const used = steps.flatMap((step) => ('uses' in step ? [step] : []))
    expect(used).toHaveLength(1)
    expect(used[0]?.uses).toMatch(/^actions\/checkout@[0-9a-f]{40}$/)
    expect(used[0]?.with).toEqual({ 'persist-credentials': false })
  })

  test('passes the token only to the step that publishes, and has no expressions in scripts', () => {
    const holders = runs.filter(({ env }) => JSON.stringify(env).includes('secrets.'))
    expect(holders.map(({ name }) => name)).toEqual(['Publish'])
    expect(workflow.jobs['publish']?.env).toEqual({ SKILL_REGISTRY: 'https://skills.example.com' })
    for (const { run } of runs) expect(run).not.toContain('${{')
  })
})

describe('the steps of the workflow, with a registry over HTTPS', { timeout: 60_000 }, () => {
  let server: Serving
  let token: string
  let certificate: string
  const names = workflow.jobs['publish']?.steps.flatMap((step) => ('run' in step ? [step.name] : []))

  beforeAll(async () => {
    const { paths } = certificateFiles(temporaryFolder(), 'registry')
    certificate = paths.cert
    const data = temporaryFolder()
    server = await serve(data, { SKILLDOCK_TLS_CERT: paths.cert, SKILLDOCK_TLS_KEY: paths.key })
    token = await tokenHere(data, '--subject', 'alice', '--name', 'Alice', '--scope', 'publish')
  })
  afterAll(async () => {
    await server.stop()
    await cleanUp()
  })

  /** A checked-out repository: the sources of a module that builds without network access. */
  const checkOut = (change: Partial<SkillManifest>): string => {
    const folder = temporaryFolder()
    const manifest = {
      ...(JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8')) as SkillManifest),
      ...change,
    }
    const project = { name: manifest.name, version: manifest.version }
    mkdirSync(join(folder, 'source'))
    cpSync(join(source, 'csv-to-json.wasm'), join(folder, 'source/module.wasm'))
    const files = {
      'manifest.json': manifest,
      'package.json': { ...project, scripts: { build: `cp source/module.wasm ${manifest.name}.wasm` } },
      'package-lock.json': { ...project, lockfileVersion: 3, packages: { '': project } },
    }
    for (const [name, value] of Object.entries(files))
      writeFileSync(join(folder, name), JSON.stringify(value))
    return folder
  }

  const push = (tag: string, folder: string, secret = token): Promise<RanStep[]> => {
    const env = clientEnvironment(temporaryFolder(), {
      GITHUB_REF_NAME: tag,
      CURL_CA_BUNDLE: certificate,
      NODE_EXTRA_CA_CERTS: certificate,
    })
    const here = structuredClone(workflow)
    const job = here.jobs['publish']
    if (job !== undefined) job.env['SKILL_REGISTRY'] = server.registry
    return runJob(here, 'publish', { cwd: folder, env, secrets: { SKILL_TOKEN: secret } })
  }

  const mine = async (): Promise<OwnRelease[]> => {
    const options = { ca: readFileSync(certificate), headers: { authorization: `Bearer ${token}` } }
    const answer = await new Promise<string>((resolve, reject) => {
      get(`${server.registry}/api/skilldock/mine`, options, (response) => {
        text(response).then(resolve, reject)
      }).once('error', reject)
    })
    return (JSON.parse(answer) as { items: OwnRelease[] }).items
  }

  test('a tag publishes the built module; the same tag again publishes nothing', async () => {
    const folder = checkOut({ name: 'from-a-tag', version: '1.2.0' })
    const steps = await push('v1.2.0', folder)
    expect(steps.at(-1)?.output).toMatch(/from-a-tag 1\.2\.0/)
    expect(steps.map(({ name, status }) => [name, status])).toEqual(names?.map((name) => [name, 0]))
    const sha256 = createHash('sha256')
      .update(readFileSync(join(source, 'csv-to-json.wasm')))
      .digest('hex')
    const [published] = await mine()
    expect(published).toMatchObject({ name: 'from-a-tag', version: '1.2.0', status: 'pending', sha256 })

    const again = await push('v1.2.0', folder)
    expect(again.map(({ name, status }) => [name, status])).toEqual(names?.map((name) => [name, 0]))
    expect((await mine()).filter(({ name }) => name === 'from-a-tag')).toHaveLength(1)
  })

  test('a tag that does not match the version fails before the build, with a GitHub error annotation', async () => {
    const steps = await push('v1.0.1', checkOut({ name: 'other-tag', version: '1.0.0' }))
    expect(steps).toHaveLength(1)
    expect(steps[0]).toMatchObject({
      status: 1,
      output:
        '::error file=manifest.json::The tag v1.0.1 does not match version 1.0.0. Tag the commit v1.0.0.\n',
    })
  })

  test('a skill whose examples fail is not published', async () => {
    const examples = [{ input: 'id,city\n', output: '[1]\n' }]
    const steps = await push('v1.0.0', checkOut({ name: 'other-output', version: '1.0.0', examples }))
    expect(steps.at(-1)).toMatchObject({ name: 'Check', status: 1 })
    expect((await mine()).filter(({ name }) => name === 'other-output')).toEqual([])
  })

  test('without a valid token the last step fails with a hint', async () => {
    const folder = checkOut({ name: 'no-token', version: '1.0.0' })
    const steps = await push('v1.0.0', folder, 'not-a-token')
    expect(steps.at(-1)).toMatchObject({ name: 'Publish', status: 3 })
    expect(steps.at(-1)?.output).toContain('token')
  })
})
