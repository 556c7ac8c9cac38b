import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLoaders } from '../../src/client/commands/command-loaders.ts'
import { exitCodeHelp } from '../../src/client/exit-codes.ts'
import { errorResponseSchema } from '../../src/shared/contracts/common.ts'
import { maxBlogImageBytes, maxShowcaseImageBytes } from '../../src/shared/contracts/images.ts'
import { maxPackageBytes, minPackageBytes } from '../../src/shared/contracts/releases.ts'
import { categories, maxManifestBytes, maxManifestCharacters } from '../../src/shared/contracts/manifest.ts'
import { parseManifest } from '../../src/shared/parse-manifest.ts'
import {
  cleanEnvironment,
  cleanUp,
  projectRoot,
  serve,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { fencedBlocks, runBlocks } from '../support/client/shell-blocks.ts'
import type { RunBlock } from '../support/client/shell-blocks.ts'

const file = join(projectRoot, 'docs/API.md')
const document = readFileSync(file, 'utf8')

describe('the commands in docs/API.md', () => {
  let server: Serving
  let home: string
  let status: number | null
  let blocks: RunBlock[]

  beforeAll(async () => {
    home = temporaryFolder()
    const data = join(home, 'data')
    server = await serve(data)
    const scripts = fencedBlocks(document, 'sh').map((block) =>
      block
        .replaceAll('http://127.0.0.1:4280', server.registry)
        .replaceAll('http://127.0.0.1:4200', server.dashboard),
    )
    const env = cleanEnvironment({ HOME: home, SKILLDOCK_DATA: data })
    ;({ status, blocks } = await runBlocks(scripts, { cwd: projectRoot, env }))
  }, 120_000)
  afterAll(async () => {
    await server.stop()
    await cleanUp()
  })

  /** The output of the one block that contains this fragment. */
  const outputOf = (fragment: string): string => {
    const found = blocks.filter(({ script }) => script.includes(fragment))
    expect(found, fragment).toHaveLength(1)
    return found[0]?.output ?? ''
  }

  test('all run in order, each to completion', () => {
    expect(status, blocks.at(-1)?.output).toBe(0)
    expect(blocks).toHaveLength(fencedBlocks(document, 'sh').length)
  })

  test.each([
    ['/api/health', /"status":"ok"/],
    ['install.sh', /^Installed skill \d+\.\d+\.\d+: [^]*^\d+\.\d+\.\d+$/m],
    ['skill login --token-stdin', /as Alice/],
    [
      'skill publish',
      /3 of 3 passed[^]*Submitted rot13 1\.0\.0: pending[^]*^rot13 +1\.0\.0 [^]*^csv-to-json +1\.0\.0 /m,
    ],
    [
      '/publishers"',
      /"identity":\{"provider":"github","repository":"octo\/csv-to-json"[^]*"publisher":"Alice"/,
    ],
    ['skill run', /\{"id":"1","city":"Graz"\}/],
    ['skill search', /^csv-to-json +1\.0\.0 [^]*^sha256 +[0-9a-f]{64}$[^]*csv-to-json 1\.0\.0 installed/m],
    [
      '/attestations/',
      /^\{"_type":"https:\/\/in-toto\.io\/Statement\/v1".*"name":"csv-to-json@1\.0\.0".*"kid":"attest-/,
    ],
    ['"$REGISTRY/api/skilldock/token"', /"subject":"alice".*"scope":"publish"/],
    ['/api/marketplace/mine', /"place":1[^]*"reviewReason":null/],
    [
      'skill reply',
      /"kind":"question"[^]*answer about csv-to-json@1\.0\.0 was sent[^]*"changesRequested":false/,
    ],
    ['inspect.wasm', /\{"success":true\}$/],
    ['/skills?q=csv', /^\{"items":\[\{"id":\d+,"name":"csv-to-json"/],
    ['sha256sum -c', /^csv-to-json\.wasm: OK$/m],
    ['/v2/csv-to-json/tags/list', /^\{"name":"csv-to-json","tags":\["1\.0\.0","latest"\]\}\{"annotations"/],
    ['"describe_skill"', /"structuredContent":\{"name":"csv-to-json","version":"1\.0\.0"/],
    ['/1.0.0/review', /"action":"approved"/],
    [`-w '%{http_code}\\n' "$REGISTRY/api/marketplace/publish"`, /"code":"VERSION_EXISTS"\}409$/m],
    [
      'agent-skills/index.json',
      /^\{"\$schema":"https:\/\/schemas\.agentskills\.io\/[^]*^name: "csv-to-json"$/m,
    ],
    ['/llms.txt', /^# Skilldock[^]*csv-to-json 1\.0\.0[^]*<feed[^]*<urlset/],
    ['/api/showcase/upload-image', /^\{"url":"http[^"]+","key":"[^"]+"\}$/],
    [
      'skill outdated',
      /^csv-to-json +1\.0\.0 +installed [^]*all are the latest[^]*0 deprecated, 0 outdated\.[^]*is the module that was approved\.[^]*is the latest release/m,
    ],
    ['skill mcp', /^To add to "mcpServers" in \.mcp\.json:\n[^]*\.mcp\.json written\./],
    ['/1.0.0/state', /"status":"approved"[^]*"latest":"1\.0\.0","deprecation":null/],
    ['$DEPRECATION', /Deprecated: It does not handle quoted fields\.[^]*\{"success":true\}$/],
    ['/api/skilldock/mirror', /^\{"mirror":null\}$/],
    ['advisories.json', /"id":"x_SKILLDOCK-\d{4}-\d+"[^]*"name":"csv-to-json"/],
    ['"action": "revoked"', /^\{"success":true\}404$/m],
    [`/api/agents`, /^\{"agents":\[\]\}\{"entries":\[\]\}$/],
  ])('%s prints what the text describes', (fragment, answer) => {
    expect(outputOf(fragment)).toMatch(answer)
  })

  test('the table lists every error code of the registry with its status, and no other code', async () => {
    const response = await fetch(`${server.registry}/openapi.json`)
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { description?: string }> }>>
    }
    // Uploads have statuses of their own, and operations with a `servers` entry are not part of the registry.
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      'servers' in methods || path.endsWith('/upload-image')
        ? []
        : Object.values(methods).flatMap(({ responses }) =>
            Object.entries(responses).flatMap(([code, { description = '' }]) =>
              (/Codes: (.*)\.$/.exec(description)?.[1]?.split(', ') ?? []).map((name) => `${name} ${code}`),
            ),
          ),
    )
    const documented = rowsBelow('Errors').flatMap(([codes = '', code = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} ${code}`),
    )
    const anywhere = ['BAD_REQUEST 400', 'METHOD_NOT_ALLOWED 405']
    expect(documented.toSorted()).toEqual([...new Set([...known, ...anywhere])].toSorted())
  })
})

/** The rows of the first table below a heading, each as its cells. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = document.split(new RegExp(`^## ${heading}$`, 'm'))
  const table = /(?:^\|.*\n)+/m.exec(section.split(/^## /m)[0] ?? '')?.[0] ?? ''
  const rows = table.trimEnd().split('\n').slice(2)
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('the example manifest is valid, and the example error has the right format', () => {
  const [manifest = '', refusal = ''] = fencedBlocks(document, 'json')
  expect(parseManifest(manifest).name).toBe('upper-case')
  expect(errorResponseSchema.parse(JSON.parse(refusal)).code).toBe('VERSION_EXISTS')
})

test('every manifest field and every category is documented', () => {
  const fields = rowsBelow('What is published').flatMap(([names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  const [manifest = ''] = fencedBlocks(document, 'json')
  expect(fields.toSorted()).toEqual(Object.keys(JSON.parse(manifest) as object).toSorted())
  for (const category of categories) expect(document).toContain(`\`${category}\``)
})

test('the limits match the code', () => {
  const limits = new Map(rowsBelow('Limits').map(([what = '', much = '']) => [what, much]))
  const digits = (value: number): string => value.toLocaleString('en')
  const manifest = `${digits(maxManifestCharacters)} characters and ${digits(maxManifestBytes)} bytes`
  expect(limits.get('manifest')).toContain(manifest)
  expect(limits.get('module')).toBe(`${minPackageBytes} to ${digits(maxPackageBytes)} bytes`)
  expect(limits.get('showcase image')).toContain(digits(maxShowcaseImageBytes))
  expect(limits.get('blog image')).toContain(digits(maxBlogImageBytes))
})

test('the exit codes of skill match the code', () => {
  const documented = rowsBelow('Exit codes').map(([code = '']) => Number(code.replaceAll('`', '')))
  expect(documented).toEqual(exitCodeHelp.map(([code]) => code))
})

test('every command of skill is documented', () => {
  for (const name of commandLoaders.keys()) expect(document).toContain(`skill ${name}`)
})

test('every link points to an existing file or heading', () => {
  const headings = [...document.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  for (const [, target = ''] of document.matchAll(/\]\(([^)]+)\)/g)) {
    if (target.startsWith('#')) expect(headings).toContain(target.slice(1))
    else expect(existsSync(join(dirname(file), target)), target).toBe(true)
  }
})
