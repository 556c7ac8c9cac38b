import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { assembleNamedWat } from '../support/fixtures/assemble-wat.ts'
import {
  largeProgramModule,
  manyStringsModule,
  millionFunctionsModule,
} from '../support/fixtures/big-modules.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'
import { leb, moduleBytes, section } from '../support/fixtures/wasm-bytes.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { longestTask, smallestOf } from '../support/desk/page-tasks.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const largest = 16 * 1024 * 1024

/** Each test submits its own releases. */
const shared = shareDesk()

/** The packages on the server. */
const packages = (): string[] => readdirSync(shared.desk.packages).filter((name) => !name.startsWith('.'))

const modulePane = (page: Page): Locator => page.getByRole('region', { name: 'Module', exact: true })
const functions = (page: Page): Locator => modulePane(page).getByRole('grid', { name: 'Functions' })
const strings = (page: Page): Locator => modulePane(page).getByRole('grid', { name: 'Strings' })
const bytes = (page: Page): Locator => modulePane(page).getByRole('table', { name: /^Bytes/ })
const listing = (page: Page): Locator => modulePane(page).getByRole('list', { name: /^Instructions/ })
const tab = (page: Page, name: string): Locator => modulePane(page).getByRole('tab', { name })
const cells = (row: Locator): Locator => row.getByRole('gridcell')

/** Waits for the release and opens its module by key. */
const lookInside = async (page: Page, name = 'upper-case'): Promise<void> => {
  await expect(page.getByRole('heading', { name: `${name} 1.0.0` })).toBeVisible()
  await page.keyboard.press('i')
}

const secret = Buffer.from(Array.from({ length: 60 }, (_, at) => (at * 97 + 13) % 256)).toString('base64')

const program = `(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 8) "see https://host.example/feed\\00/etc/passwd\\00at 192.0.2.7 now\\00${secret}\\00plain words")
  (func $largest (param i32) (result i32) (local i64)
    (drop (i32.const 1)) (drop (i32.const 2)) (drop (i32.const 3)) (local.get 0))
  (func (export "_start") (drop (call $largest (i32.const 4))) (call $exit (i32.const 0)))
  (func))`

test('a module is browsed by functions, strings, findings, bytes and sections', async () => {
  test.slow()
  const wasm = await assembleNamedWat(program)
  const id = await shared.desk.submit({}, undefined, wasm)
  const page = await shared.open('ilse', { at: `/review/${id}` })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  /** Shows the release with its module closed. */
  const comeBack = async (): Promise<void> => {
    await goInDesk(page, 'history')
    await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
    await goInDesk(page, `review/${id}`)
    await expect(page.getByRole('button', { name: 'Open module' })).toBeVisible()
  }

  await test.step('functions are listed by size with their names, and disassembled one at a time', async () => {
    await lookInside(page)
    await expect(functions(page)).toHaveAttribute('aria-rowcount', '4')
    const rows = functions(page).getByRole('row')
    await expect(rows.nth(1)).toContainText('largest')
    await expect(rows.nth(2)).toContainText('_start exported')
    await expect(rows.nth(3)).toContainText('unnamed')
    await expect(cells(rows.nth(1)).last()).toHaveText('53.6%')
    await expect(modulePane(page).getByRole('columnheader', { name: 'Bytes' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )

    await functions(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(listing(page)).toBeVisible()
    const lines = await listing(page).getByRole('listitem').allInnerTexts()
    expect(lines.map((line) => line.trim())).toEqual([
      '(func (;2;) (; _start ;) (type 2)',
      'i32.const 4',
      'call 1 (; largest ;)',
      'drop',
      'i32.const 0',
      'call 0 (; exit ;)',
      ')',
    ])
    await expect(modulePane(page).getByRole('button', { name: 'Functions' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(functions(page)).toBeFocused()
    await expect(functions(page).locator('[data-active]')).toContainText('_start')

    await modulePane(page).getByRole('button', { name: 'Index' }).click()
    await expect(rows.nth(1)).toContainText('largest')
    await modulePane(page).getByRole('button', { name: 'Index' }).click()
    await expect(rows.nth(1)).toContainText('unnamed')
    await modulePane(page).getByRole('searchbox').fill('start')
    await expect(functions(page)).toHaveAttribute('aria-rowcount', '2')
    await expect(modulePane(page).getByText('1 of 3 functions')).toBeVisible()
  })

  await test.step('the disassembler runs in a frame without network access, and only gets one function', async () => {
    const frame = page.locator('iframe[src="/desk/sandbox/inside"]')
    await expect(frame).toHaveAttribute('sandbox', 'allow-scripts')
    expect(requested.filter((path) => path.includes('sandbox'))).toEqual(['/desk/sandbox/inside'])
    const reply = await fetch(`${shared.desk.dashboard}/desk/sandbox/inside`)
    expect(reply.headers.get('content-security-policy')).toContain("connect-src 'none'")
    // The page itself compiles nothing.
    const refused = await page.evaluate(async () => {
      try {
        await WebAssembly.compile(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
        return false
      } catch {
        return true
      }
    })
    expect(refused).toBe(true)
  })

  await test.step('strings are grouped by type, and link to their bytes', async () => {
    await comeBack()
    await page.getByRole('button', { name: 'Open module' }).click()
    await expect(tab(page, 'Functions')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, 'Strings')).toHaveAttribute('aria-selected', 'true')
    const kind = async (name: string, text: string): Promise<void> => {
      await modulePane(page).getByRole('radio', { name }).click()
      await expect(strings(page)).toHaveAttribute('aria-rowcount', '2')
      await expect(strings(page).getByRole('row').nth(1)).toContainText(text)
    }
    await kind('IP', '192.0.2.7')
    await kind('Paths', '/etc/passwd')
    await kind('Base64', secret)
    await kind('URLs', 'https://host.example/feed')
    const at = Buffer.from(wasm).indexOf('https://')
    await strings(page).getByText('https://host.example/feed').click()
    await expect(bytes(page)).toBeFocused()
    await expect(bytes(page).locator('mark').first()).toContainText('68')
    await expect(modulePane(page).getByRole('textbox', { name: 'Offset' })).toHaveValue(
      `0x${at.toString(16).padStart(6, '0')}`,
    )
    await expect(bytes(page)).toContainText('00 61 73 6d')
  })

  await test.step('a finding links to its bytes', async () => {
    await comeBack()
    const finding = page
      .getByRole('region', { name: 'Findings' })
      .getByRole('listitem')
      .filter({ hasText: '192.0.2.7' })
    await finding.getByRole('button', { name: /^At 0x/ }).click()
    await expect(tab(page, 'Hex')).toHaveAttribute('aria-selected', 'true')
    await expect(bytes(page).locator('mark').first()).toContainText('31 39 32 2e 30')
  })

  await test.step('bytes are shown from any offset, and sections are landmarks', async () => {
    await comeBack()
    await lookInside(page)
    await tab(page, 'Hex').click()
    await expect(bytes(page).getByRole('row').nth(1)).toContainText('00 61 73 6d 01 00 00 00')
    await expect(bytes(page).getByRole('row').nth(1)).toContainText('.asm')
    await expect(bytes(page).getByRole('row').nth(1)).toContainText('type')
    const offset = modulePane(page).getByRole('textbox', { name: 'Offset' })
    await offset.fill('somewhere')
    await offset.press('Enter')
    await expect(modulePane(page).getByText('Enter an offset such as 0xb41c or 46108.')).toBeVisible()
    await offset.fill('0xfffff')
    await offset.press('Enter')
    await expect(modulePane(page).getByText(/^The file ends at/)).toBeVisible()
    await offset.fill('4')
    await offset.press('Enter')
    await expect(bytes(page).locator('mark')).toHaveText('01')
    await expect(offset).toBeFocused()

    await tab(page, 'Sections').click()
    const sections = modulePane(page).getByRole('grid', { name: 'Sections' })
    await expect(sections.getByRole('row').nth(1)).toContainText('type')
    await expect(sections.getByRole('row').last()).toContainText('name (custom)')
    await sections.getByRole('row').nth(2).click()
    await expect(offset).not.toHaveValue('0x000004')
    await expect(bytes(page).locator('mark')).toHaveText('02')
  })

  await test.step('axe finds nothing in any view, in light and dark', async () => {
    const check = async (view: string): Promise<void> =>
      expect(await violations(page, view, '#inside')).toEqual([])
    await comeBack()
    await check('closed')
    await lookInside(page)
    await expect(functions(page)).toContainText('largest')
    await check('functions')
    await functions(page).getByText('largest').click()
    await expect(listing(page)).toBeVisible()
    await check('one function')
    for (const name of ['Strings', 'Hex', 'Sections']) {
      await tab(page, name).click()
      await expect(modulePane(page).getByRole('tabpanel', { name })).toContainText('000')
      await check(name)
    }
  })
})

interface Large {
  what: string
  name: string
  make: () => Uint8Array
  /** Filters for the functions and the strings. */
  filter: string
  string: string
}

/** Replaces the text of a field by key, so that the page handles each one. */
const typeInto = async (page: Page, field: Locator, text: string): Promise<void> => {
  await field.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Opens the module and all of its views, as fast as the page responds. */
const browseModule = async (page: Page, { filter, string }: Large): Promise<void> => {
  await page.keyboard.press('i')
  await expect(functions(page).getByRole('row').nth(1)).toContainText('%', { timeout: 20_000 })
  await functions(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('PageUp')
  await modulePane(page).getByRole('button', { name: 'Function', exact: true }).click()
  await modulePane(page).getByRole('button', { name: 'Index' }).click()
  await typeInto(page, modulePane(page).getByRole('searchbox'), filter)
  await expect(modulePane(page).getByText(/^[\d,]+ of [\d,]+ functions?/)).toBeVisible({ timeout: 20_000 })
  await functions(page).getByRole('row').nth(1).click()
  await expect(listing(page)).toBeVisible({ timeout: 20_000 })
  await tab(page, 'Strings').click()
  await expect(modulePane(page).getByText(/^(?:No|[\d,]+) strings/)).toBeVisible({ timeout: 20_000 })
  await typeInto(page, modulePane(page).getByRole('searchbox'), string)
  await expect(modulePane(page).getByText(/^(?:No|[\d,]+ of [\d,]+|[\d,]+) strings?/)).toBeVisible({
    timeout: 20_000,
  })
  await tab(page, 'Hex').click()
  await typeInto(page, modulePane(page).getByRole('textbox', { name: 'Offset' }), '0xfffff0')
  await page.keyboard.press('Enter')
  await expect(bytes(page)).toContainText('fffff0')
  await tab(page, 'Sections').click()
  await expect(modulePane(page).getByRole('grid', { name: 'Sections' })).toContainText('padding')
}

const large: Large[] = [
  {
    what: '16,000 named functions and 180,000 strings',
    name: 'many-names',
    make: () => largeProgramModule(largest),
    filter: '15',
    string: '9.example',
  },
  {
    what: 'a million functions',
    name: 'many-functions',
    make: () => millionFunctionsModule(largest),
    filter: '15',
    string: 'x',
  },
  {
    what: '600,000 strings',
    name: 'many-strings',
    make: () => manyStringsModule(largest, 4 * 1024 * 1024),
    filter: '1',
    string: 'text',
  },
]

for (const module of large) {
  test(
    `a module of 16 MiB with ${module.what} never blocks the page for 100 ms`,
    { tag: '@alone' },
    async () => {
      test.slow()
      const { name } = module
      const id = await shared.desk.submit({ name }, undefined, module.make())
      const longest = await smallestOf(2, 99, async () => {
        const page = await shared.open('ilse', { at: `/review/${id}` })
        await expect(page.getByRole('heading', { name: `${name} 1.0.0` })).toBeVisible()
        return longestTask(page, () => browseModule(page, module))
      })
      expect(longest).toBeLessThan(100)
    },
  )
}

/** A module whose `_start` has these instructions. */
const withStart = (code: readonly number[]): Uint8Array =>
  moduleBytes(
    section(1, [1, 0x60, 0, 0]),
    section(3, [1, 0]),
    section(5, [1, 0, 1]),
    section(7, [2, 6, ...Buffer.from('_start'), 0, 0, 6, ...Buffer.from('memory'), 2, 0]),
    section(10, [1].concat(leb(code.length + 1), 0, code)),
  )

test('disassembler errors are reported, and everything else keeps working', async () => {
  test.slow()
  const deep = Array.from({ length: 40_000 }, () => [0x02, 0x40]).flat()
  const ends = Array.from({ length: 40_001 }, () => 0x0b)
  await shared.desk.submit({ name: 'deep-nest' }, undefined, withStart([...deep, ...ends]))
  const long = Array.from({ length: 200_000 }, () => 0x01)
  await shared.desk.submit({ name: 'long-body' }, undefined, withStart([...long, 0x0b]))
  const collected = withStart([0x41, 1, 0xfb, 0x1c, 0x1a, 0x0b])
  await shared.desk.submit({ name: 'garbage' }, undefined, collected)
  const page = await shared.open('ilse')

  const openStart = async (name: string): Promise<void> => {
    await page.locator('[data-row]').filter({ hasText: name }).click()
    await lookInside(page, name)
    await functions(page).getByText('_start').click()
  }
  await openStart('garbage')
  await expect(listing(page)).toContainText('i32.const 1')
  await expect(
    modulePane(page).getByText(/Disassembly stopped near 0x[0-9a-f]+: unexpected opcode/),
  ).toBeVisible()
  await openStart('long-body')
  await expect(
    modulePane(page).getByText('Truncated: the first 20,001 lines of a function of 200,001 bytes.'),
  ).toBeVisible()
  await openStart('deep-nest')
  await expect(modulePane(page).getByText('This function could not be disassembled.')).toBeVisible({
    timeout: 30_000,
  })
  await page.keyboard.press('Escape')
  await tab(page, 'Hex').click()
  await expect(bytes(page)).toContainText('02 40 02 40')
})

test('a file that does not match its digest is not opened', async () => {
  const before = new Set(packages())
  const id = await shared.desk.submit({ name: 'damaged' })
  const file = join(shared.desk.packages, packages().find((name) => !before.has(name)) ?? '')
  const good = readFileSync(file)
  const page = await shared.open('ilse', { at: `/review/${id}` })
  const alert = modulePane(page).getByRole('alert')
  const again = modulePane(page).getByRole('button', { name: 'Try again' })
  await test.step('a file changed on the server', async () => {
    const bad = Buffer.from(good)
    bad[20] = (bad[20] ?? 0) ^ 1
    writeFileSync(file, bad)
    await page.getByRole('button', { name: 'Open module' }).click()
    await expect(alert).toContainText("Couldn't open the module")
  })
  await test.step('a response changed in transit', async () => {
    writeFileSync(file, good)
    await page.route('**/desk/api/releases/*/package', async (route) => {
      const response = await route.fetch()
      const body = await response.body()
      body[body.length - 1] = (body.at(-1) ?? 0) ^ 1
      await route.fulfill({ response, body })
    })
    await again.click()
    await expect(alert).toContainText("The downloaded module doesn't match the digest")
  })
  await test.step('a retry with the original file opens it', async () => {
    await page.unroute('**/desk/api/releases/*/package')
    await again.click()
    await expect(functions(page)).toBeVisible()
  })
})
