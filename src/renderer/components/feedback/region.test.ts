import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const renderer = join(import.meta.dirname, '../..')

test('every region of a screen is a Region, which has an error boundary', () => {
  const others = globSync('**/*.tsx', { cwd: renderer }).filter(
    (file) =>
      file !== join('components', 'feedback', 'region.tsx') &&
      /^\s*(?:<\w+ .*)?data-region=/m.test(readFileSync(join(renderer, file), 'utf8')),
  )
  expect(others).toEqual([])
})
