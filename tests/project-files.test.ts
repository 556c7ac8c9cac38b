import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './support/server/command-line.ts'

const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }
const read = (path: string): Promise<string> => readFile(join(projectRoot, path), 'utf8')
const { version } = JSON.parse(await read('package.json')) as { version: string }

test('the changelog begins with what is unreleased, followed by the version of package.json', async () => {
  const headings = [...(await read('CHANGELOG.md')).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
  expect(headings[0]).toBe('[Unreleased]')
  expect(headings[1]).toMatch(
    new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - (?:\\d{4}-\\d\\d-\\d\\d|not released)$`),
  )
  const versions = headings.slice(1).map((heading) => /^\[(\d+\.\d+\.\d+)\]/.exec(heading ?? '')?.[1])
  expect(versions).not.toContain(undefined)
  expect(new Set(versions).size).toBe(versions.length)
})

test('a section of the changelog has only the groups of Keep a Changelog', async () => {
  const groups = [...(await read('CHANGELOG.md')).matchAll(/^### (.*)$/gm)].map(([, group]) => group)
  const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
  expect(groups.filter((group) => !known.includes(group ?? ''))).toEqual([])
})

test('the changelog describes tags as the version with a v', async () => {
  expect(await read('CHANGELOG.md')).toContain(`\`v${version}\``)
})

test.each(['ISSUE_TEMPLATE/bug.yml', 'ISSUE_TEMPLATE/feature.yml', 'workflows/ci.yml', 'dependabot.yml'])(
  '.github/%s is valid YAML',
  async (path) => {
    expect(load(await read(`.github/${path}`))).toBeTypeOf('object')
  },
)

test('the workflow of every push runs .ci/run', async () => {
  const { jobs } = load(await read('.github/workflows/ci.yml')) as {
    jobs: Record<string, { steps: { run?: string }[] }>
  }
  expect(Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run))).toContain('bash .ci/run')
})
