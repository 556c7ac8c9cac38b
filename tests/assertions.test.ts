import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The page may still be drawing when a value is read once. */
const readOnce =
  /expect\(\s*await [^\n]*?\.(?:allInnerTexts|allTextContents|count|getAttribute|innerText|inputValue|isChecked|isDisabled|isEnabled|isVisible|textContent)\(/

test('no browser test compares a value that it reads from the page once', () => {
  const files = globSync(['tests/e2e/**/*.ts', 'tests/desktop/**/*.ts'], { cwd: root })
  expect(files.length).toBeGreaterThan(50)
  // Use toHaveCount, toHaveText and the like, or expect.poll.
  expect(files.filter((file) => readOnce.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test.each([
  "expect(await preview(page).locator('blockquote').count()).toBe(1)",
  "expect(\n  await link.getAttribute('rel'),\n).toContain('nofollow')",
])('%j is found', (source) => {
  expect(readOnce.test(source)).toBe(true)
})
