import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { plain, plainLine } from '../../src/client/terminal/terminal.ts'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { skillHere } from '../support/client/client-here.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { answerWith, changeJson } from '../support/client/hostile-server.ts'
import { behindHostileServer, control, signedInAt } from '../support/client/signed-in-client.ts'

const parts = behindHostileServer()
const signedIn = (): Record<string, string> => signedInAt(parts)

describe('untrusted text', () => {
  const evil = '\u001B]0;owned\u0007\u001B[2J\u009B31m\u202Egnp.exe\r\u0000'

  test('is shown with all control characters escaped', () => {
    expect(plain(evil)).not.toMatch(control)
    expect(plain('a\tb\nc é 表 👍')).toBe('a\tb\nc é 表 👍')
    expect(plain('\u001B[31m')).toBe('\\u{1b}[31m')
    expect(plainLine('one\n  two\t three ')).toBe('one two three')
  })

  test('cannot control the terminal from search, info and install', async () => {
    const change = (release: RegistryVersion): object => ({
      ...release,
      publisher: evil + release.publisher,
      reviewReason: evil,
      manifest: {
        ...release.manifest,
        description: evil + release.manifest.description,
        readme: release.manifest.readme + evil,
        inputs: release.manifest.inputs + evil,
        outputs: release.manifest.outputs + evil,
        license: evil,
      },
    })
    const list = (body: { items: RegistryVersion[] }): object => ({ items: body.items.map(change) })
    parts.proxy.when(/\/skills\?/, changeJson(parts.app.registry, list))
    parts.proxy.when(/\/skills\/tool$/, changeJson(parts.app.registry, change))
    parts.proxy.when(
      /\/review$/,
      changeJson(parts.app.registry, (review: object) => ({ ...review, decidedBy: evil })),
    )
    for (const args of [['search'], ['info', 'tool'], ['install', 'tool']]) {
      const { status, stdout, stderr } = await skillHere(args, {
        env: { SKILL_REGISTRY: parts.proxy.url },
      })
      expect(status).toBe(exitCodes.done)
      expect(stdout + stderr).not.toMatch(control)
      expect(stdout).toContain(args[0] === 'install' ? '✓ tool' : 'gnp.exe')
    }
  })

  test('cannot control it from an error, a redirect or your own releases', async () => {
    const refusal = {
      error: evil,
      code: 'NOT_FOUND',
      issues: [
        { path: evil, message: evil },
        { path: evil, message: evil },
      ],
    }
    parts.proxy.when(/\/skills\/one$/, answerWith(404, JSON.stringify(refusal)))
    parts.proxy.when(/\/skills\/two$/, (_request, response) => {
      response.socket?.end(
        `HTTP/1.1 302 Found\r\nlocation: /\u001B[31m\u009Bx\r\ncontent-length: 0\r\n\r\n`,
        'latin1',
      )
    })
    const own = (body: { items: OwnRelease[] }): object => ({
      items: body.items.map((release) => ({ ...release, reviewReason: evil })),
      total: 1,
    })
    parts.proxy.when(/\/mine/, changeJson(parts.app.registry, own))
    for (const args of [['info', 'one'], ['info', 'two'], ['mine'], ['status']]) {
      const { stdout, stderr } = await skillHere(args, { env: signedIn() })
      expect(stdout + stderr).not.toMatch(control)
      expect((stdout + stderr).length).toBeGreaterThan(20)
    }
  })

  test('cannot control it from a JSON document, which has the same content', async () => {
    const change = (release: RegistryVersion): object => ({ ...release, publisher: evil })
    parts.proxy.when(/\/skills\/tool$/, changeJson(parts.app.registry, change))
    const { stdout } = await skillHere(['info', 'tool', '--json'], {
      env: { SKILL_REGISTRY: parts.proxy.url },
    })
    expect(stdout).not.toMatch(control)
    expect(JSON.parse(stdout)).toMatchObject({ release: { publisher: evil } })
  })

  test('cannot control it from the command line or from files', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ name: 'tool', [evil]: 1, license: evil }))
    await writeFile(join(folder, 'tool.wasm'), evil)
    for (const args of [
      [evil],
      ['search', evil],
      ['info', evil],
      ['search', `--${evil}`],
      ['search', '--registry', evil],
    ]) {
      const { stdout, stderr } = await skillHere(args, {
        folder,
        env: { SKILL_REGISTRY: parts.proxy.url },
      })
      expect(stdout + stderr).not.toMatch(control)
    }
    const { stdout, stderr } = await skillHere(['publish'], { folder, env: signedIn() })
    expect(stdout + stderr).not.toMatch(control)
    expect(stderr).toMatch('the registry would reject the')
  })
})
