import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CHECKS } from './run-checks.ts'

it('docs/FINDINGS.md lists every check with its severity and meaning, in this order', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/FINDINGS.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([^`]+)` +\| (\w+) +\| (.+?) +\|$/gm)].map(
    ([, id, severity, means]) => ({ id, severity, means }),
  )
  expect(rows).toEqual(CHECKS.map(({ id, severity, means }) => ({ id, severity, means })))
})
