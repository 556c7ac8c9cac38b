/**
 * Test files that check elapsed time, or the memory of a process they share with others, against a limit. They run alone,
 * because parallel tests would distort the measurement. CPU time and the memory of a separate process are measured in
 * parallel. In Playwright, such tests are tagged `@alone`.
 */
export const measuring = [
  'src/server/db/database.test.ts',
  'tests/dashboard/measuring.test.ts',
  'tests/agents/large.test.ts',
  'tests/bench/bench.test.ts',
  'tests/lifecycle/stop-timeout.test.ts',
  'tests/registry/connection-delays.test.ts',
]

/** Small test files that take more than ten seconds. Vitest would otherwise start the largest files first. */
export const long = [
  'tests/chaos/chaos.test.ts',
  'tests/operations/records.test.ts',
  'tests/fuzz/fuzz.test.ts',
  'tests/lifecycle/build.test.ts',
  'tests/lifecycle/systemd.test.ts',
  'tests/operations/read-only.test.ts',
  'tests/packaging/tarball.test.ts',
  'tests/operations/demo.test.ts',
  'tests/double/double.test.ts',
  'tests/operations/faults/faults.test.ts',
  'tests/desk/deep-queue.test.ts',
  'tests/desk/lost-decisions.test.ts',
  'tests/desk/first-run.test.ts',
  'tests/dashboard/memory.test.ts',
  'tests/operations/backup-memory.test.ts',
  'tests/operations/damaged-values.test.ts',
  'tests/agents/hostile-files.test.ts',
  'tests/operations/interrupted.test.ts',
  'tests/client/publish-workflow.test.ts',
  'src/shared/wasm/read-module.fuzz.test.ts',
  'tests/operations/health.test.ts',
  'tests/dashboard/closing.test.ts',
  'tests/patterns.test.ts',
  'tests/readme.test.ts',
  'tests/lifecycle/tls.test.ts',
  'tests/client/init-rust.test.ts',
  'tests/uploads/upload-memory.test.ts',
]

/** Elapsed time: the difference of two clock readings on one line. */
const ELAPSED = /(?:performance|Date)\.now\(\) - (?!Date\.parse)/
/** A timeout below 10 s. Playwright's default is longer (`expect.timeout` in playwright.config.ts). */
const HURRIED = /(?:expect\(.*|const \w+ = )\{ timeout: (?:\d{1,4}|[1-9]_\d{3}) \}/
/** Also the result of a helper that measures requests. */
const NAMED = /(?:(\w+) = |(\w+)\.push\().*?(?:performance\.now\(\) - |measureRequests\()/

/**
 * Returns the 1-based numbers of the lines in which a test limits elapsed time. Parallel tests make that longer, so such
 * a test fails on a busy machine.
 */
export const findStopwatches = (source: string): number[] => {
  const lines = source.split('\n')
  const names = lines.flatMap((line) => {
    const [, assigned, pushed] = NAMED.exec(line) ?? []
    return [assigned ?? pushed ?? []].flat()
  })
  const isElapsed = (line: string): boolean =>
    ELAPSED.test(line) || names.some((name) => new RegExp(`\\b${name}\\b`).test(line))
  return lines.flatMap((line, index) => {
    const isStopwatch = /expect\(.*\.toBeLess/.test(line) && isElapsed(line)
    if (!isStopwatch && !HURRIED.test(line)) return []
    // Playwright tests that run alone are tagged.
    const start = lines.slice(0, index).findLastIndex((before) => /^\s*test\(/.test(before))
    return lines.slice(start, index).join('\n').includes("tag: '@alone'") ? [] : [index + 1]
  })
}
