import { readFile, writeFile } from 'node:fs/promises'
import { JsonReporter, type Reporter, type TestModule } from 'vitest/node'

type Errors = Parameters<NonNullable<Reporter['onTestRunEnd']>>[1]

/** Extends vitest's JSON report with uncaught errors, which it omits although they fail the run. */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its file
export default class extends JsonReporter {
  override async onTestRunEnd(modules: readonly TestModule[], errors: Errors = []): Promise<void> {
    await super.onTestRunEnd(modules)
    const { outputFile } = this.ctx.config
    if (typeof outputFile !== 'object' || outputFile.json === undefined) return
    const report = JSON.parse(await readFile(outputFile.json, 'utf8')) as object
    const unhandledErrors = errors.map(({ name, message, VITEST_TEST_PATH, VITEST_TEST_NAME }) => ({
      message: `${name ?? 'Error'}: ${message}`,
      file: VITEST_TEST_PATH,
      test: VITEST_TEST_NAME,
    }))
    await writeFile(outputFile.json, JSON.stringify({ ...report, unhandledErrors }))
  }
}
