import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp } from '../support/server/command-line.ts'
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

let app: TestServer
let script: string
let client: string

beforeAll(async () => {
  app = await startTestServer()
  script = await (await fetch(`${app.registry}/install.sh`)).text()
  client = await (await fetch(`${app.registry}/api/skilldock/client`)).text()
})
afterAll(async () => {
  await app?.stop()
  await cleanUp()
})

const installedFiles = ['.local/', '.local/bin/', '.local/bin/skill 755']
const skillOf = ({ home }: Computer): string => join(home, '.local/bin/skill')

/** Installs a client of another version or of another registry. */
const putOther = (computer: Computer, { version = '0.1.0', registry = app.registry } = {}): void => {
  mkdirSync(join(computer.home, '.local/bin'), { recursive: true })
  const other = client
    .replace('// skill 0.1.0,', `// skill ${version},`)
    .replace(/^const servedBy = .*$/m, `const servedBy = "${registry}"`)
  writeFileSync(skillOf(computer), `${other}\n`, { mode: 0o755 })
}

describe.skipIf(skipWithout('shells'))('with the programs of a typical system', () => {
  test('shellcheck reports nothing about the served script', async () => {
    const args = ['-s', 'sh', '-']
    const ran = await runProgram(findProgram('shellcheck'), args, { LANG: 'C.UTF-8' }, '/', script)
    expect(ran).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('the documented command installs a client that knows its registry', async () => {
    const computer = makeComputer({ node: true, curl: true, sh: findProgram('dash') })
    const line = `curl -fsSL ${app.registry}/install.sh | sh`
    const ran = await runProgram(findProgram('dash'), ['-c', line], computer.environment, computer.home)
    expect(ran).toEqual({
      status: 0,
      stdout:
        `Installed skill 0.1.0: ${skillOf(computer)}\n` +
        `Its default registry is ${app.registry}.\n` +
        `\n${computer.home}/.local/bin is not in your PATH yet. To add it, add this line to ~/.bashrc and open a new terminal:\n` +
        '\n  export PATH="$HOME"/.local/bin:"$PATH"\n' +
        '\nUntil then, run: "$HOME"/.local/bin/skill --help\n',
      stderr: '',
    })
    expect(readFileSync(skillOf(computer), 'utf8')).toBe(client)
    const args = ['search', '--json']
    const search = await runProgram(skillOf(computer), args, computer.environment, computer.home)
    expect(search).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(search.stdout)).toBeTypeOf('object')
    expect(listAll(computer.home)).toEqual(installedFiles)
  })

  describe.each(Object.keys(shells))('%s', (name) => {
    const shell = shells[name] ?? []

    test('installs, reinstalls and removes the client; nothing else in the home folder changes', async () => {
      const computer = makeComputer()
      writeFileSync(join(computer.home, '.profile'), 'mine\n')
      const run = (...args: string[]) => runScript(script, computer, { shell, args })
      expect(await run()).toMatchObject({ status: 0, stderr: '' })
      expect(listAll(computer.home)).toEqual([...installedFiles, '.profile 644'])
      expect(readFileSync(skillOf(computer), 'utf8')).toBe(client)

      expect((await run()).stdout).toContain(`skill 0.1.0 is already installed: ${skillOf(computer)}\n`)

      const removed = {
        status: 0,
        stdout: `Removed skill 0.1.0 from ${computer.home}/.local/bin.\n`,
        stderr: '',
      }
      expect(await run('--uninstall')).toEqual(removed)
      expect(listAll(computer.home)).toEqual(['.local/', '.local/bin/', '.profile 644'])
      const again = { stdout: `skill is not installed in ${computer.home}/.local/bin.\n`, stderr: '' }
      expect(await run('--uninstall')).toMatchObject({ status: 0, ...again })
      expect(readFileSync(join(computer.home, '.profile'), 'utf8')).toBe('mine\n')
    })

    test('upgrades, and names the previous version and registry', async () => {
      const computer = makeComputer()
      putOther(computer, { version: '0.0.9' })
      expect((await runScript(script, computer, { shell })).stdout).toContain(
        `Upgraded skill from 0.0.9 to 0.1.0: ${skillOf(computer)}\nIts default registry is ${app.registry}.`,
      )
      expect(readFileSync(skillOf(computer), 'utf8')).toBe(client)

      putOther(computer, { registry: 'https://skills.example' })
      expect((await runScript(script, computer, { shell })).stdout).toContain(
        `Reinstalled skill 0.1.0: ${skillOf(computer)}\n` +
          `Its default registry was https://skills.example and is now ${app.registry}.\n`,
      )
      expect(listAll(computer.home)).toEqual(installedFiles)
    })

    test('prints its help, and rejects unknown options', async () => {
      const computer = makeComputer({})
      const help = await runScript(script, computer, { shell, args: ['--help'] })
      expect(help).toMatchObject({ status: 0, stderr: '' })
      for (const word of ['--uninstall', 'SKILL_INSTALL_DIR', app.registry])
        expect(help.stdout).toContain(word)
      const refused = await runScript(script, computer, { shell, args: ['--uninstal'] })
      const stderr = 'Unknown option: --uninstal. The options are --uninstall and --help.\n'
      expect(refused).toEqual({ status: 2, stdout: '', stderr })
      expect(listAll(computer.home)).toEqual([])
    })

    test('leaves alone a file that is not the client, and a link', async () => {
      const computer = makeComputer()
      mkdirSync(join(computer.home, '.local/bin'), { recursive: true })
      writeFileSync(skillOf(computer), '#!/bin/sh\n// skill, my own\0\n', { mode: 0o755 })
      for (const args of [[], ['--uninstall']]) {
        const ran = await runScript(script, computer, { shell, args })
        expect(ran).toMatchObject({ status: 1, stdout: '' })
        expect(ran.stderr).toBe(
          `${skillOf(computer)} exists and is not the client of a registry. Nothing was changed.\n` +
            'Move it, or choose another folder: SKILL_INSTALL_DIR=/path/to/a/folder\n',
        )
      }
      expect(readFileSync(skillOf(computer), 'utf8')).toContain('my own')

      const linked = makeComputer()
      putOther(linked)
      mkdirSync(join(linked.home, 'bin'))
      symlinkSync(skillOf(linked), join(linked.home, 'bin/skill'))
      const environment = { SKILL_INSTALL_DIR: join(linked.home, 'bin') }
      const ran = await runScript(script, linked, { shell, environment })
      expect(ran.stderr).toContain('exists and is not the client of a registry')
      expect(lstatSync(join(linked.home, 'bin/skill')).isSymbolicLink()).toBe(true)
    })

    test('accepts a folder of any name, even as a relative path', async () => {
      const computer = makeComputer()
      const named = `it's "my" $HOME folder; *`
      const environment = { SKILL_INSTALL_DIR: `./${named}/` }
      const ran = await runScript(script, computer, { shell, environment })
      expect(ran).toMatchObject({ status: 0, stderr: '' })
      expect(listAll(computer.home)).toEqual([`${named}/`, `${named}/skill 755`])
      // The printed line works in a shell, whatever its working directory.
      const line = ran.stdout.split('\n').find((text) => text.startsWith('  export PATH=')) ?? ''
      const args = ['-c', `${line}\nskill --version`]
      const found = await runProgram(findProgram('dash'), args, computer.environment, '/')
      expect(found).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' })
    })
  })

  test('an old client that is running is not disturbed by an upgrade', async () => {
    const computer = makeComputer()
    putOther(computer, { version: '0.0.9' })
    const before = lstatSync(skillOf(computer)).ino
    const open = openSync(skillOf(computer), 'r')
    try {
      await runScript(script, computer)
      expect(readFileSync(open, 'utf8')).toContain('// skill 0.0.9,')
    } finally {
      closeSync(open)
    }
    expect(lstatSync(skillOf(computer)).ino).not.toBe(before)
  })

  test('the line for PATH fits the shell, and is omitted if skill is already in PATH', async () => {
    const computer = makeComputer()
    const outputWith = async (variables: Record<string, string>) =>
      (await runScript(script, computer, { environment: variables })).stdout
    expect(await outputWith({ SHELL: '/usr/bin/fish' })).toContain(
      'run this once:\n\n  fish_add_path "$HOME"/.local/bin\n',
    )
    expect(await outputWith({ SHELL: '/bin/zsh' })).toContain('add this line to ~/.zshrc')
    expect(await outputWith({ SHELL: '' })).toContain('add this line to ~/.profile')
    const path = computer.environment['PATH'] ?? ''
    const own = `${computer.home}/.local/bin`
    expect(await outputWith({ PATH: `${own}:${path}` })).toMatch(
      /already installed: [^\n]*\nTo get started, run: skill --help\n$/,
    )
    putProgram(computer, 'skill', '')
    expect(await outputWith({ PATH: `${path}:${own}` })).toMatch(
      new RegExp(`Another program named skill comes first in your PATH: ${computer.programs}/skill\n$`),
    )
  })

  test('a client that is not executable is made executable again', async () => {
    const computer = makeComputer()
    await runScript(script, computer)
    chmodSync(skillOf(computer), 0o600)
    expect((await runScript(script, computer)).stdout).toContain('is already installed')
    expect(listAll(computer.home)).toEqual(installedFiles)
  })

  test('--uninstall says where saved tokens are', async () => {
    const computer = makeComputer()
    await runScript(script, computer)
    mkdirSync(join(computer.home, '.config/skill'), { recursive: true })
    expect((await runScript(script, computer, { args: ['--uninstall'] })).stdout).toBe(
      `Removed skill 0.1.0 from ${computer.home}/.local/bin.\n` +
        `Saved data, such as tokens, is still in ${computer.home}/.config/skill.\n`,
    )
  })
})
