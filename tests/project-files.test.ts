import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readSections, releaseNotes } from '../scripts/release-notes.mjs'
import { readWorkflow, runJob } from './support/client/workflow.ts'
import type { RanStep } from './support/client/workflow.ts'
import {
  cleanEnvironment,
  cleanUp,
  projectRoot,
  start,
  temporaryFolder,
} from './support/server/command-line.ts'

const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const { version, scripts } = JSON.parse(read('package.json')) as {
  version: string
  scripts: Record<string, string>
}
const sections = readSections(read('CHANGELOG.md'))

afterAll(cleanUp)

test('the changelog begins with what is unreleased, followed by the version of package.json', () => {
  const headings = sections.map(({ heading }) => heading)
  expect(headings[0]).toBe('[Unreleased]')
  expect(headings[1]).toMatch(
    new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - (?:\\d{4}-\\d\\d-\\d\\d|not released)$`),
  )
  const versions = headings.slice(1).map((heading) => /^\[(\d+\.\d+\.\d+)\]/.exec(heading)?.[1])
  expect(versions).not.toContain(undefined)
  expect(new Set(versions).size).toBe(versions.length)
})

test('a section of the changelog has only the groups of Keep a Changelog', () => {
  const groups = sections.flatMap(({ text }) => [...text.matchAll(/^### (.*)$/gm)].map(([, group]) => group))
  const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
  expect(groups.length).toBeGreaterThan(0)
  expect(groups.filter((group) => !known.includes(group ?? ''))).toEqual([])
})

test('the changelog describes tags as the version with a v', () => {
  expect(read('CHANGELOG.md')).toContain(`\`v${version}\``)
})

const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot })

test.each([...workflows, ...globSync('.github/{*,ISSUE_TEMPLATE/*}.yml', { cwd: projectRoot })])(
  '%s is valid YAML',
  (path) => {
    expect(load(read(path))).toBeTypeOf('object')
  },
)

const commandsIn = (path: string): string[] => {
  const { jobs } = load(read(path)) as { jobs: Record<string, { steps: { run?: string }[] }> }
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
}

test('the workflow of every push runs .ci/run', () => {
  expect(commandsIn('.github/workflows/ci.yml')).toContain('bash .ci/run')
})

test('every npm script that a workflow runs exists', () => {
  const run = workflows.flatMap(commandsIn).flatMap((command) => [...command.matchAll(/npm run (\S+)/g)])
  const known = Object.keys(scripts)
  expect(run.length).toBeGreaterThan(0)
  expect(run.map(([, name = '']) => name).filter((name) => !known.includes(name))).toEqual([])
})

/** A changelog with one released version. */
const changelog = (
  heading = '[1.2.0] - 2026-11-27',
  text = '### Added\n\n- A door.\n',
  unreleased = '',
): string =>
  `# Changelog\n\n## [Unreleased]\n${unreleased}\n## ${heading}\n\n${text}\n## [1.1.0] - 2026-01-01\n\n### Fixed\n\n- A window.\n`

test('the text of a release is its section of the changelog', () => {
  expect(releaseNotes('v1.2.0', '1.2.0', changelog())).toBe('### Added\n\n- A door.')
})

describe('the workflow that releases', () => {
  const workflow = readWorkflow(join(projectRoot, '.github/workflows/release.yml'))
  const jobs = Object.entries(workflow.jobs)

  /** Runs steps of the job that builds, in a folder with this version and changelog. */
  const runSteps = (folder: string, tag: string, ...names: string[]): Promise<RanStep[]> => {
    const here = structuredClone(workflow)
    const { build } = here.jobs
    if (build === undefined) throw new Error('The job build is missing')
    build.steps = build.steps.filter((step) => 'run' in step && names.includes(step.name))
    expect(build.steps).toHaveLength(names.length)
    const env = cleanEnvironment({ GITHUB_REF_NAME: tag })
    return runJob(here, 'build', { cwd: folder, env, secrets: {} })
  }

  const checkOut = (text: string): string => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'scripts'))
    cpSync(join(projectRoot, 'scripts/release-notes.mjs'), join(folder, 'scripts/release-notes.mjs'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.0' }))
    writeFileSync(join(folder, 'CHANGELOG.md'), text)
    return folder
  }

  const compare = 'Compare tag, version and changelog'

  test('is started only by a tag that begins with v', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
  })

  test('gives each job only the permissions that it needs, and the job that runs code only those to read', () => {
    expect(workflow.permissions).toEqual({})
    expect(Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions]))).toEqual({
      build: { contents: 'read' },
      attest: { 'id-token': 'write', attestations: 'write' },
      publish: { contents: 'write' },
    })
    for (const [name, { steps }] of jobs) {
      const code = steps.filter((step) => 'run' in step && /\b(?:npm|node|scripts)\b|\.ci/.test(step.run))
      expect([name, code.length > 0]).toEqual([name, name === 'build'])
    }
  })

  test('publishes only what was tested and attested', () => {
    expect(jobs.map(([name, { needs }]) => [name, needs])).toEqual([
      ['build', undefined],
      ['attest', 'build'],
      ['publish', 'attest'],
    ])
    expect(workflow.jobs['build']?.steps).toContainEqual({ name: 'Test', env: {}, run: 'bash .ci/run' })
  })

  test('pins each action to one commit, and leaves no credentials behind', () => {
    const used = jobs.flatMap(([, { steps }]) => steps.flatMap((step) => ('uses' in step ? [step] : [])))
    expect(used.length).toBeGreaterThan(0)
    for (const { uses } of used) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
    const checkouts = used.filter(({ uses }) => uses.startsWith('actions/checkout@'))
    expect(checkouts.map((step) => step.with)).toEqual([{ 'persist-credentials': false }])
  })

  test('takes the section of the changelog as the text of the release', async () => {
    const folder = checkOut(changelog())
    expect(await runSteps(folder, 'v1.2.0', compare)).toEqual([{ name: compare, status: 0, output: '' }])
    expect(readFileSync(join(folder, 'release/notes.md'), 'utf8')).toBe('### Added\n\n- A door.\n')
  })

  test.each([
    ['v1.2.1', changelog(), 'The tag v1.2.1 does not match version 1.2.0 in package.json.'],
    ['1.2.0', changelog(), 'The tag 1.2.0 does not match version 1.2.0 in package.json.'],
    ['v1.2.0-rc.1', changelog(), 'The tag v1.2.0-rc.1 does not match version 1.2.0 in package.json.'],
    [
      'v1.2.0',
      changelog('[1.2.0] - not released'),
      'CHANGELOG.md has “[1.2.0] - not released” as its newest',
    ],
    ['v1.2.0', changelog('[1.3.0] - 2026-11-27'), 'CHANGELOG.md has “[1.3.0] - 2026-11-27” as its newest'],
    [
      'v1.2.0',
      changelog('[1.2.0] - 2026-11-27', ''),
      'CHANGELOG.md does not say what changes in version 1.2.0.',
    ],
    [
      'v1.2.0',
      changelog(undefined, undefined, '\n### Added\n\n- A roof.\n'),
      'CHANGELOG.md must begin with an empty section [Unreleased]. Move its text to [1.2.0].',
    ],
    ['v1.2.0', changelog().replace('## [Unreleased]\n', ''), 'CHANGELOG.md must begin with an empty section'],
  ])('fails before the tests for the tag %s, if it does not fit: %#', async (tag, text, message) => {
    const [ran, ...others] = await runSteps(checkOut(text), tag, compare, 'Test')
    expect(others).toEqual([])
    expect(ran).toMatchObject({ name: compare, status: 1 })
    expect(ran?.output).toContain(message)
  })

  describe('the files of the release', () => {
    const names = ['skilldock-1.2.0.tgz', 'Skilldock-1.2.0.AppImage', 'skilldock_1.2.0_amd64.deb']
    const others = ['latest-linux.yml', 'sbom.json']

    const collect = async (built: string[]): Promise<{ folder: string; steps: RanStep[] }> => {
      const folder = temporaryFolder()
      for (const path of ['dist/linux-unpacked', 'release/files'])
        mkdirSync(join(folder, path), { recursive: true })
      for (const name of built) writeFileSync(join(folder, 'dist', name), `bytes of ${name}`)
      return {
        folder: join(folder, 'release/files'),
        steps: await runSteps(folder, 'v1.2.0', 'Collect the files'),
      }
    }

    const verify = (folder: string): Promise<{ status: number | null; stdout: string }> => {
      const steps = workflow.jobs['publish']?.steps ?? []
      const run = steps.flatMap((step) =>
        'run' in step && step.name === 'Verify the checksums' ? [step.run] : [],
      )
      return start('bash', ['-e', '-c', run.join('\n')], {}, { cwd: join(folder, '../..') }).ended
    }

    test('have checksums that match, and a changed file is found', async () => {
      const { folder, steps } = await collect([...names, ...others])
      expect(steps).toMatchObject([{ status: 0, output: '' }])
      const listed = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
      expect(listed.map((line) => line.slice(66)).toSorted()).toEqual([...names, ...others].toSorted())
      expect((await verify(folder)).status).toBe(0)
      writeFileSync(join(folder, 'sbom.json'), 'other bytes')
      const { status, stdout } = await verify(folder)
      expect([status, stdout]).toEqual([1, expect.stringContaining('sbom.json: FAILED')])
    })

    test.each([...names, ...others])('are incomplete without %s', async (missing) => {
      const { folder, steps } = await collect([...names, ...others].filter((name) => name !== missing))
      expect(steps).toMatchObject([{ status: 1 }])
      expect(existsSync(join(folder, 'SHA256SUMS'))).toBe(false)
    })
  })
})
