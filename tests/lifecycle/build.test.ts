import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cleanUp, projectRoot, serve, start, temporaryFolder } from '../support/server/command-line.ts'
import type { Variables } from '../support/server/command-line.ts'
import { copyProject, smallProject } from '../support/small-project.ts'

let project: string

afterAll(cleanUp)

const run = (script: string, ...args: string[]) =>
  start(process.execPath, [join(project, 'scripts', script), ...args], { SKILLDOCK_DATA: temporaryFolder() })
    .ended

const stampOf = (): string => readFileSync(join(project, 'out/sources.sha256'), 'utf8')
const sourceFile = (): string => join(project, 'src/server/cli.ts')
const folders = (): string[] => readdirSync(project).filter((name) => name.startsWith('out'))

const programThatPrints = (title: string): string => `process.stdout.write('${title}\\n')\n`
const changeSource = (title: string): void => writeFileSync(sourceFile(), programThatPrints(title))

describe('nothing runs from a stale build', () => {
  beforeAll(() => {
    project = smallProject(programThatPrints('First.'))
  })

  test('without a build and after a change, it is built silently before it runs', async () => {
    expect(await run('skilldock.mjs')).toMatchObject({ status: 0, stdout: 'First.\n', stderr: '' })
    changeSource('Changed once.')
    const help = await run('skilldock.mjs')
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(help.stdout).toBe('Changed once.\n')
    expect(folders()).toEqual(['out'])
  })

  test('contents count, not times: a newer file with the same content is not rebuilt, an older one with new content is', async () => {
    const before = stampOf()
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(sourceFile(), future, future)
    writeFileSync(join(project, 'out/mark'), '')
    await run('skilldock.mjs')
    expect(existsSync(join(project, 'out/mark'))).toBe(true)
    expect(stampOf()).toBe(before)

    changeSource('Changed, with an old date.')
    const past = new Date(0)
    utimesSync(sourceFile(), past, past)
    expect((await run('skilldock.mjs')).stdout).toMatch(/^Changed, with an old date\.\n/)
    expect(existsSync(join(project, 'out/mark'))).toBe(false)
  })

  test('a changed test does not cause a build', async () => {
    writeFileSync(join(project, 'out/mark'), '')
    writeFileSync(join(project, 'src/server/new.test.ts'), 'throw new Error()')
    await run('skilldock.mjs')
    expect(existsSync(join(project, 'out/mark'))).toBe(true)
  })

  test('three processes that find a stale build at once all run the new one and leave one build', async () => {
    changeSource('Changed for three.')
    const three = await Promise.all(Array.from({ length: 3 }, () => run('skilldock.mjs')))
    for (const help of three) {
      expect(help).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/^Changed for three\.\n/),
      })
    }
    expect(folders()).toEqual(['out'])
  })

  test('a failed build is reported, and the old build is not run', async () => {
    const text = readFileSync(sourceFile(), 'utf8')
    writeFileSync(sourceFile(), `${text}\nconst = 1\n`)
    const before = stampOf()
    const broken = await run('skilldock.mjs')
    expect(broken.status).toBe(1)
    expect(broken.stdout).toBe('')
    expect(broken.stderr).toContain('The build failed')
    expect((await run('build.mjs')).status).toBe(1)
    expect(stampOf()).toBe(before)
    expect(folders()).toEqual(['out'])
    writeFileSync(sourceFile(), text)
    expect((await run('skilldock.mjs')).status).toBe(0)
  })
})

describe('the client is built too', () => {
  const clientSource = (): string => join(project, 'src/client/index.ts')

  beforeAll(() => {
    project = smallProject(programThatPrints('With a client.'))
    mkdirSync(join(project, 'src/client'))
    writeFileSync(
      join(project, 'src/client/vite.config.ts'),
      "export default { build: { ssr: 'src/client/index.ts', rolldownOptions: { output: { entryFileNames: '[name]' } } } }\n",
    )
    writeFileSync(clientSource(), "console.log('client')\n")
  })

  test('into its own folder, which is rebuilt after a change', async () => {
    expect(await run('build.mjs')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(project, 'out/client/index'), 'utf8')).toContain('client')
    writeFileSync(clientSource(), "console.log('changed client')\n")
    expect((await run('skilldock.mjs')).stdout).toBe('With a client.\n')
    expect(readFileSync(join(project, 'out/client/index'), 'utf8')).toContain('changed client')
  })

  test('and if that fails, the old build stays complete', async () => {
    const before = stampOf()
    writeFileSync(clientSource(), 'const = 1\n')
    const broken = await run('build.mjs')
    expect(broken).toMatchObject({ status: 1, stdout: '' })
    expect(broken.stderr).toMatch(/^The build failed:\n[^]*src\/client\/index\.ts/)
    expect(stampOf()).toBe(before)
    expect(folders()).toEqual(['out'])
  })
})

describe('without development dependencies', () => {
  beforeEach(() => {
    project = copyProject(/^(src|scripts|out|package.*\.json|electron\.vite\.config\.ts)$/)
  })

  test('prepare does nothing and exits with 0, with or without a build', async () => {
    const before = stampOf()
    writeFileSync(join(project, 'src/server/added.ts'), 'export {}')
    expect(await run('build.mjs', '--if-possible')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(stampOf()).toBe(before)
    rmSync(join(project, 'out'), { recursive: true })
    expect(await run('build.mjs', '--if-possible')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(folders()).toEqual([])
    const asked = await run('build.mjs')
    expect(asked).toMatchObject({ status: 1, stdout: '' })
    expect(asked.stderr).toContain('npm ci')
  })

  test('the existing build runs with the production dependencies only', async () => {
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const modules = join(project, 'node_modules')
    for (const name of Object.keys(dependencies)) {
      cpSync(join(projectRoot, 'node_modules', name), join(modules, name), { recursive: true })
    }
    const token = await run('skilldock.mjs', 'token', '--subject', 'alice')
    expect(token).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^eyJ\S+\n$/) })
  })
})

/** A Node on this machine that is older than what the program needs. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''
  const major = Number(/^v(\d+)\./.exec(version)?.[1] ?? 99)
  return major < 24
})

describe.skipIf(oldNode === undefined)(
  `with a Node that is too old${oldNode === undefined ? ' (this machine has no older Node)' : ''}`,
  () => {
    const begin = (folder: string, args: string[], variables: Variables = {}) =>
      start(oldNode ?? '', [join(folder, 'scripts/skilldock.mjs'), ...args], {
        SKILLDOCK_DATA: temporaryFolder(),
        ...variables,
      })

    test('one that npm has not brought a newer one for is reported in one line', async () => {
      const folder = copyProject(/^(scripts|out|package\.json)$/)
      for (const args of [['token', '--subject', 'alice'], ['serve'], ['--help']]) {
        const ended = await begin(folder, args).ended
        expect(ended).toMatchObject({ status: 1, stdout: '' })
        expect(ended.stderr).toMatch(
          /^Skilldock requires Node 24; this is v\d+\.\d+\.\d+\. [^\n]*npm start[^\n]*\n$/,
        )
      }
    })

    test('the Node that npm brought takes over, with the same arguments, output and exit status', async () => {
      const token = await begin(projectRoot, ['token', '--subject', 'alice']).ended
      expect(token).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^eyJ\S+\n$/) })
      expect(await begin(projectRoot, ['no-such-command']).ended).toMatchObject({ status: 2, stdout: '' })
    })

    test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the server gracefully', async (signal) => {
      const data = temporaryFolder()
      const serving = await serve(data, {}, [oldNode ?? '', join(projectRoot, 'scripts/skilldock.mjs')])
      serving.kill(signal)
      expect(await serving.ended).toMatchObject({ status: 0, signal: null })
      await expect(fetch(serving.registry)).rejects.toThrow()
    })

    test('a signal that ends the program ends the old Node too', async () => {
      const folder = smallProject('')
      cpSync(join(projectRoot, 'out'), join(folder, 'out'), { recursive: true })
      writeFileSync(join(folder, 'out/main/cli.js'), "process.kill(process.pid, 'SIGABRT')\n")
      rmSync(join(folder, 'electron.vite.config.ts'))
      expect(await begin(folder, []).ended).toMatchObject({ status: null, signal: 'SIGABRT' })
    })
  },
)
