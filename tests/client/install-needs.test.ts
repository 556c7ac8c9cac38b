import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificateFiles } from '../support/server/certificate-files.ts'
import { oldestNode } from '../support/client/client.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { startHostileRegistry } from '../support/client/hostile-registry.ts'
import {
  findProgram,
  listAll,
  makeComputer,
  putProgram,
  runProgram,
  runScript,
  shells,
} from '../support/client/install-script.ts'
import type { Computer } from '../support/client/install-script.ts'
import { skipWithout } from '../support/programs.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

let app: TestServer

beforeAll(async () => {
  app = await startTestServer()
})
afterAll(async () => {
  await app?.stop()
  await cleanUp()
})

const readScript = async (registry = app.registry): Promise<string> =>
  (await fetch(`${registry}/install.sh`)).text()

/** The script that a registry with this address would serve. */
const scriptFor = async (publicUrl: string): Promise<string> => {
  await app.server.settings.save({ publicUrl })
  try {
    return await readScript()
  } finally {
    await app.server.settings.save({ publicUrl: app.registry })
  }
}

describe.skipIf(skipWithout('shells'))('a missing requirement is reported with a fix', () => {
  test.each(Object.keys(shells))('Node, in %s', async (name) => {
    const script = await readScript()
    const run = (computer: Computer) => runScript(script, computer, { shell: shells[name] ?? [] })
    const next = 'Install Node from https://nodejs.org or with your package manager, then run this again.\n'
    const cases: [string | null, (path: string) => string][] = [
      [null, () => 'node is not in your PATH'],
      ['echo 18.20.8', (path) => `${path} is Node 18.20.8`],
      ['echo 9.11.2', (path) => `${path} is Node 9.11.2`],
      ['exit 1', (path) => `the version of ${path} is unknown`],
      ['echo "what?"', (path) => `the version of ${path} is unknown`],
    ]
    for (const [program, sentence] of cases) {
      const computer = makeComputer({ curl: true })
      if (program !== null) putProgram(computer, 'node', program)
      const stderr = `skill requires Node 20 or newer, but ${sentence(join(computer.programs, 'node'))}.\n${next}`
      expect(await run(computer)).toEqual({ status: 1, stdout: '', stderr })
      expect(listAll(computer.home)).toEqual([])
    }
  })

  test('a Node that can run the client', async () => {
    const computer = makeComputer({ curl: true })
    const refuse = 'echo "$1 is not for me" >&2; exit 1'
    putProgram(computer, 'node', `case $1 in -*) exec ${oldestNode} "$@" ;; *) ${refuse} ;; esac`)
    const file = join(computer.home, '.local/bin/skill')
    const ran = await runScript(await readScript(), computer)
    expect(ran).toMatchObject({ status: 1, stdout: expect.stringContaining(`: ${file}\n`) })
    expect(ran.stderr).toMatch(
      new RegExp(
        `^${file} does not run: ${file} is not for me\nUse a newer Node than [\\d.]+, or choose another`,
      ),
    )
  })

  test('curl or wget', async () => {
    const computer = makeComputer({ node: true })
    expect(await runScript(await readScript(), computer)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'curl or wget is required, but neither is in your PATH.\nInstall one of them, then run this again.\n',
    })
    expect(listAll(computer.home)).toEqual([])
  })

  test('a home folder', async () => {
    const computer = makeComputer()
    const { HOME: _, ...environment } = computer.environment
    const withoutHome = { ...computer, environment }
    expect(await runScript(await readScript(), withoutHome)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'HOME is not set, so there is no folder to install into.\n' +
        'Set one: SKILL_INSTALL_DIR=/path/to/a/folder\n',
    })
    const folder = join(computer.home, 'there')
    const named = await runScript(await readScript(), withoutHome, {
      environment: { SKILL_INSTALL_DIR: folder },
    })
    expect(named).toMatchObject({ status: 0, stderr: '' })
    expect(named.stdout).toContain(`export PATH='${folder}':"$PATH"`)
    expect(listAll(computer.home)).toEqual(['there/', 'there/skill 755'])
  })

  test('a folder that can be created and written to', async () => {
    const computer = makeComputer()
    writeFileSync(join(computer.home, 'file'), '')
    const next = 'Choose another folder: SKILL_INSTALL_DIR=/path/to/a/folder\n'
    for (const [folder, sentence] of [
      [join(computer.home, 'file/bin'), 'cannot be created.'],
      [join(computer.home, 'file'), 'cannot be created.'],
      // Not even root can write there.
      ['/proc', 'is not writable.'],
    ] as const) {
      const ran = await runScript(await readScript(), computer, {
        environment: { SKILL_INSTALL_DIR: folder },
      })
      expect(ran).toEqual({ status: 1, stdout: '', stderr: `${folder} ${sentence}\n${next}` })
    }
    expect(listAll(computer.home)).toEqual(['file 644'])
  })

  test('a timeout that is a number', async () => {
    const computer = makeComputer()
    for (const value of ['soon', '1e3', '-1', '0', 'a[$(touch here)]']) {
      const ran = await runScript(await readScript(), computer, {
        environment: { SKILL_INSTALL_TIMEOUT: value },
        shell: shells['bash'] ?? [],
      })
      expect(ran.stderr).toContain(`SKILL_INSTALL_TIMEOUT is ${value} but must be a number of seconds.`)
    }
    expect(listAll(computer.home)).toEqual([])
  })
})

describe.skipIf(skipWithout('shells'))('the connection to the registry', () => {
  test.each(Object.keys(shells))('is never plain HTTP to another computer, in %s', async (name) => {
    for (const publicUrl of [
      'http://skills.example',
      'http://127.0.0.1.example/x',
      'http://localhost.example:80',
    ]) {
      const computer = makeComputer({ node: true })
      putProgram(computer, 'curl', 'echo asked >"$HOME/asked"')
      const ran = await runScript(await scriptFor(publicUrl), computer, { shell: shells[name] ?? [] })
      expect(ran).toMatchObject({ status: 1, stdout: '' })
      expect(ran.stderr).toMatch(/ uses plain HTTP, [^\n]*\nNothing was installed\. /)
      expect(listAll(computer.home)).toEqual([])
    }
    for (const publicUrl of [
      'http://localhost:4280',
      'http://127.3.2.1/x',
      'http://[::1]:4280',
      'https://a.example',
    ]) {
      const computer = makeComputer({ node: true })
      putProgram(computer, 'curl', 'echo asked >"$HOME/asked"; exit 7')
      await runScript(await scriptFor(publicUrl), computer, { shell: shells[name] ?? [] })
      expect(listAll(computer.home)).toEqual(['asked 644'])
    }
  })

  test('uses no proxy for this computer', async () => {
    const proxy = await startHostileRegistry((socket) => socket.destroy())
    try {
      for (const program of ['curl', 'wget']) {
        const environment = { http_proxy: proxy.url, https_proxy: proxy.url, ALL_PROXY: proxy.url }
        const ran = await runScript(await readScript(), makeComputer({ node: true, [program]: true }), {
          environment,
        })
        expect(ran).toMatchObject({ status: 0, stderr: '' })
      }
      expect(proxy.requests).toEqual([])
    } finally {
      await proxy.close()
    }
  })

  test.each(['curl', 'wget'])('needs a trusted certificate, with %s', async (program) => {
    const folder = temporaryFolder()
    const { paths } = certificateFiles(folder, 'registry')
    writeFileSync(join(folder, 'wgetrc'), `ca_certificate = ${paths.cert}\n`)
    const trusting = { CURL_CA_BUNDLE: paths.cert, WGETRC: join(folder, 'wgetrc') }
    const secure = await startTestServer({ config: { tlsCert: paths.cert, tlsKey: paths.key } })
    try {
      const args = ['-fsSL', `${secure.registry}/install.sh`]
      const { stdout: script } = await runProgram(findProgram('curl'), args, trusting, folder)
      expect(script).toContain(`registry='https://127.0.0.1:`)
      const computer = makeComputer({ node: true, [program]: true })
      const refused = await runScript(script, computer)
      expect(refused).toMatchObject({ status: 1, stdout: '' })
      expect(refused.stderr).toMatch(/certificate/i)
      expect(refused.stderr).toContain('Nothing was installed.')
      expect(listAll(computer.home)).toEqual([])
      const accepted = await runScript(script, computer, { environment: trusting })
      expect(accepted).toMatchObject({ status: 0, stderr: '' })
    } finally {
      await secure.stop()
    }
  })
})

test.skipIf(skipWithout('shells')).each(Object.keys(shells))(
  'Ctrl+C leaves nothing behind, in %s',
  async (name) => {
    const silent = await startHostileRegistry(() => {})
    try {
      const computer = makeComputer()
      const script = (await readScript()).replaceAll(app.registry, silent.url)
      const [program = 'sh', ...options] = shells[name] ?? []
      const file = join(temporaryFolder(), 'install.sh')
      writeFileSync(file, script)
      // A process group of its own, as in a terminal.
      const child = spawn(findProgram(program), [...options, file], {
        env: computer.environment,
        cwd: computer.home,
        stdio: 'ignore',
        detached: true,
      })
      const ended = once(child, 'exit')
      await until('the download has begun', async () => silent.requests.length > 0 || null)
      expect(listAll(computer.home)).toHaveLength(3)
      process.kill(-(child.pid ?? 0), 'SIGINT')
      expect(await ended).toEqual([130, null])
      expect(listAll(computer.home)).toEqual([])
    } finally {
      await silent.close()
    }
  },
)
