import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CHECKS } from './run-checks.ts'

const page = join(import.meta.dirname, '../../../docs/CHECKS.md')

it('docs/CHECKS.md lists all checks in order (`npx vitest run src/shared/findings -u` updates it)', async () => {
  const rows = CHECKS.map(({ id, severity, means }) => `| \`${id}\` | ${severity} | ${means} |\n`)
  await expect(
    `# All checks\n\n| Check | Severity | Reports |\n| --- | --- | --- |\n${rows.join('')}`,
  ).toMatchFileSnapshot(page)
})
