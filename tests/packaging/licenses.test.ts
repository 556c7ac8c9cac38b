import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeNotices, noticesFile } from '../../scripts/notices.mjs'
import { checkLicenses, readShipped } from '../../scripts/shipped.mjs'
import { cleanUp, projectRoot, start } from '../support/server/command-line.ts'
import { smallProject } from '../support/small-project.ts'

const shipped = readShipped()

afterAll(cleanUp)

test('LICENSE is the complete text of the license that package.json names', () => {
  const text = readFileSync(join(projectRoot, 'LICENSE'))
  expect(shipped.manifest.license).toBe('Apache-2.0')
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    'c71d239df91726fc519c6eb72d318ec65820627232b2f796219e87dcf35d0ab4',
  )
})

describe('the third-party notices', () => {
  const notices = readFileSync(noticesFile, 'utf8')

  test('are those of the current build; `npm run notices` updates them', () => {
    expect(notices).toBe(makeNotices(shipped))
  })

  test('name every package of the build and everything that is installed with it', () => {
    const missing = [...shipped.bundled, ...shipped.installed].filter(
      ({ name, version }) => !shipped.nodes.includes(name) && !notices.includes(`${name} ${version} (`),
    )
    expect(missing).toEqual([])
  })

  test('contain the licenses of fonts, style sheets, frames and the client', () => {
    const names = shipped.bundled.map(({ name }) => name)
    for (const name of [
      '@fontsource-variable/inter',
      '@mantine/core',
      'wabt',
      'spdx-license-ids',
      'marked',
    ]) {
      expect(names).toContain(name)
    }
    expect(notices).toContain('SIL OPEN FONT LICENSE')
  })

  test('list the libraries of the native parts like the installed package does', () => {
    const parts = shipped.installed.filter(({ name }) => name.startsWith('@img/sharp-libvips-'))
    const installed = parts
      .map(({ folder }) => join(projectRoot, folder, 'README.md'))
      .filter((file) => existsSync(file))
    expect(installed).not.toEqual([])
    const libraries = readFileSync(join(projectRoot, 'resources/licenses/libvips.txt'), 'utf8')
    for (const file of installed) expect(readFileSync(file, 'utf8')).toContain(libraries)
  })
})

describe('licenses', () => {
  const licensed = (name: string, license: string | undefined) => ({ name, version: '1.0.0', license })

  test.each(['MIT', 'Apache-2.0 AND MIT', '(GPL-3.0-only OR MIT)'])('%s is allowed', (license) => {
    expect(() => checkLicenses([licensed('some', license)])).not.toThrow()
  })

  test.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'LGPL-3.0-or-later',
    'OFL-1.1',
    'SEE LICENSE IN LICENSE',
    undefined,
  ])('%s is not allowed', (license) => {
    expect(() => checkLicenses([licensed('some', license)])).toThrow(`some 1.0.0: ${license ?? 'no license'}`)
  })

  test('a package with a license that is not allowed fails the build', async () => {
    const folder = smallProject("import { marked } from 'marked'\nprocess.stdout.write(marked('*it*'))\n")
    const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; license: string }>
    }
    const marked = lock.packages['node_modules/marked']
    if (marked === undefined) throw new Error('marked is not installed')
    marked.license = 'GPL-3.0-only'
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const { status, stderr } = await start(process.execPath, ['scripts/build.mjs'], {}, { cwd: folder }).ended
    expect(stderr).toContain(`  marked ${marked.version}: GPL-3.0-only\n`)
    expect(status).toBe(1)
    expect(existsSync(join(folder, 'out'))).toBe(false)
  })
})
