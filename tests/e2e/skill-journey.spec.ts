import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Lock } from '../../src/client/installed/lock-file.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { oldestNode, runClient, startClient } from '../support/client/client.ts'
import type { ClientEnded } from '../support/client/client.ts'
import { projectRoot, start } from '../support/server/command-line.ts'
import { expect, row, test } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { makeComputer, runScript, shells } from '../support/client/install-script.ts'
import type { Computer } from '../support/client/install-script.ts'
import { skipWithout } from '../support/programs.ts'
import { developerPath } from '../support/client/rust-toolchain.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
test.skip(skipWithout('shells'), 'needs dash and busybox')

// Without an undo window: held decisions have their own tests.
test.use({ settings: { undoMs: 0 } })

/** A person's computer, where `skill` is the installed file. */
interface Person {
  computer: Computer
  skill(args: readonly string[], options?: { cwd?: string; stdin?: string }): Promise<ClientEnded>
}

const installedFile = ({ home }: Computer): string => join(home, '.local/bin/skill')

/** Installs `skill` from the registry on a computer with an empty home folder. */
async function install(desk: Desk, shell: readonly [string, ...string[]]): Promise<Person> {
  const computer = makeComputer()
  const script = await (await fetch(`${desk.registry}/install.sh`)).text()
  const ran = await runScript(script, computer, { shell })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  return {
    computer,
    skill: (args, options = {}) =>
      runClient(args, { home: computer.home, file: installedFile(computer), node: oldestNode, ...options }),
  }
}

/** Builds and tests a project with the tools of its language. */
async function build(folder: string, language: string): Promise<void> {
  const commands = {
    assemblyscript: 'npm run build && node --test',
    c: 'node build.mjs && node --test',
    rust: 'cargo test && node build.mjs && node --test',
  }[language]
  // Instead of `npm install`.
  if (language === 'assemblyscript')
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const ended = await start(
    '/bin/sh',
    ['-c', commands ?? 'false'],
    { PATH: developerPath() },
    { cwd: folder },
  ).ended
  expect(ended.status, ended.stdout + ended.stderr).toBe(0)
}

/** Runs `skill login` and confirms it on this desk page. */
async function logIn({ computer }: Person, page: Page): Promise<void> {
  const login = startClient(['login', '--no-browser'], {
    home: computer.home,
    file: installedFile(computer),
    node: oldestNode,
  })
  const output = (): string => login.output.stdout + login.output.stderr
  const link = await until('the link', () =>
    Promise.resolve(/http:\S+\/desk\/\S+/.exec(output())?.[0] ?? null),
  )
  await page.goto(link)
  await page.getByRole('checkbox', { name: /^I started this sign-in/ }).check()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  expect(await login.ended).toMatchObject({ status: 0 })
  expect(statSync(join(computer.home, '.config/skill/credentials.json')).mode & 0o777).toBe(0o600)
}

/** Approves the open release. */
async function approve(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Approve…' }).click()
  await page.getByLabel('Review notes (public)').fill('Read the source, ran the examples.')
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect(row(page, name)).toContainText('approved by Ilse Verbeek')
}

async function revoke(page: Page, name: string): Promise<void> {
  await row(page, name).click()
  await page.getByRole('button', { name: 'Revoke…' }).click()
  await page.getByLabel('Review notes for Marta Okafor').fill('It loops forever if a line ends with CR.')
  await page.getByLabel('Type the skill name to confirm').fill(name)
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await expect(row(page, name)).toContainText('revoked by Ilse Verbeek')
}

for (const [shell, language] of [
  ['dash', 'c'],
  ['bash', 'assemblyscript'],
  ['busybox sh', 'rust'],
] as const) {
  test(`install, publish, run, revoke and uninstall: ${shell}, ${language}`, async ({ desk }) => {
    test.setTimeout(180_000)
    const command = shells[shell]
    if (command === undefined) throw new Error(`There is no ${shell}`)
    const name = `lines-of-${language}`

    const developer = await install(desk, command)
    expect(await developer.skill(['init', name, '--language', language])).toMatchObject({ status: 0 })
    const folder = join(developer.computer.home, name)
    await build(folder, language)
    const checked = await developer.skill(['check'], { cwd: folder })
    expect(checked.status, checked.stdout + checked.stderr).toBe(0)

    const refused = await developer.skill(['publish'], { cwd: folder })
    expect(refused.status).toBe(3)
    expect(refused.stderr).toContain('skill login')
    await logIn(developer, await desk.open('marta'))
    const published = await developer.skill(['publish'], { cwd: folder })
    expect(published.status, published.stdout + published.stderr).toBe(0)
    expect(published.stdout).toContain('pending, #1 of 1 in queue')
    const again = await developer.skill(['publish'], { cwd: folder })
    expect(again).toMatchObject({ status: 0 })
    expect((await developer.skill(['mine', '--json'])).stdout.match(/"version"/g)).toHaveLength(1)
    expect(await developer.skill(['status', name])).toMatchObject({ status: 0 })

    const ilse = await desk.open('ilse')
    await approve(ilse, name)
    expect((await developer.skill(['status', name])).stdout).toContain('Read the source, ran the examples.')

    // Another person on another computer, who has never signed in.
    const other = await install(desk, command)
    const project = join(other.computer.home, 'project')
    mkdirSync(project)
    expect((await other.skill(['search', language])).stdout).toContain(name)
    expect(await other.skill(['install', name], { cwd: project })).toMatchObject({ status: 0 })
    const lock = JSON.parse(readFileSync(join(project, 'skill-lock.json'), 'utf8')) as Lock
    expect(lock.skills[name]).toMatchObject({ version: '0.1.0', registry: desk.registry })
    const installed = join(project, 'skills', name)
    expect(
      readFileSync(join(installed, 'skill.wasm')).equals(readFileSync(join(folder, `${name}.wasm`))),
    ).toBe(true)
    const { examples } = JSON.parse(readFileSync(join(installed, 'manifest.json'), 'utf8')) as SkillManifest
    for (const { input, output } of examples) {
      const ran = await other.skill(['run', name], { cwd: project, stdin: input })
      expect(ran).toMatchObject({ status: 0, stdout: output })
    }
    expect(await other.skill(['install', '--frozen'], { cwd: project })).toMatchObject({ status: 0 })

    await revoke(ilse, name)
    const restored = await other.skill(['install'], { cwd: project })
    expect(restored.status).toBe(4)
    expect(restored.stderr).toContain('It may have been revoked, so do not run it.')
    expect(await other.skill(['install', name], { cwd: project })).toMatchObject({ status: 4 })
    const status = await developer.skill(['status', name])
    expect(status.status).toBe(1)
    expect(status.stdout).toContain('It loops forever if a line ends with CR.')
  })
}
