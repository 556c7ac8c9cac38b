import type { Locator, Page } from '@playwright/test'
import { assembleNamedWat } from '../fixtures/assemble-wat.ts'
import type { Desk } from './desk-browser.ts'

const imports = {
  fd_read: '(param i32 i32 i32 i32) (result i32)',
  fd_write: '(param i32 i32 i32 i32) (result i32)',
  proc_exit: '(param i32)',
  path_open: '(param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)',
  fd_prestat_get: '(param i32 i32) (result i32)',
  fd_prestat_dir_name: '(param i32 i32 i32) (result i32)',
  fd_filestat_get: '(param i32 i32) (result i32)',
}

const wat = (names: (keyof typeof imports)[], rest = '(memory (export "memory") 1 4)'): string =>
  `(module ${names
    .map((name) => `(import "wasi_snapshot_preview1" "${name}" (func ${imports[name]}))`)
    .join(' ')} ${rest} (func (export "_start")))`

const small = wat(['fd_read', 'fd_write', 'proc_exit'])
/** A module that reads files, with a table, a helper function and data. */
export const withFiles = wat(
  ['fd_read', 'fd_write', 'path_open', 'fd_prestat_get', 'fd_prestat_dir_name', 'fd_filestat_get'],
  '(memory (export "memory") 17 256) (table 3 funcref) (func $helper (export "helper")) (data (i32.const 0) "abcdef")',
)

/** A section of the open release. */
export const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

/** The manifests of 1.0.0 and 1.1.0, which differ in every text. */
export const before = {
  description: 'Turns CSV into JSON. Detects commas and semicolons.',
  inputs: 'CSV in UTF-8 on standard input. Up to 4 MiB.',
  readme: `# upper-case\n\n${Array.from({ length: 20 }, (_, at) => `Line ${at}.`).join('\n')}\n\nIt reads 4 MiB.\nThe end.`,
  examples: [
    { input: 'a', output: 'A' },
    { input: 'b', output: 'B' },
  ],
}
export const after = {
  version: '1.1.0',
  description: 'Turns CSV into JSON. Detects commas, semicolons and tabs.',
  inputs: 'CSV in UTF-8 on standard input. Up to 8 MiB.',
  readme: before.readme
    .replace('It reads 4 MiB.', 'It reads 8 MiB.\nIt reads files.')
    .replace('The end.', ''),
  examples: [
    { input: 'b', output: 'b' },
    { input: 'a', output: 'A' },
    { input: 'c', output: 'C' },
  ],
}

/** Submits 1.0.0, which is approved, and 1.1.0, which is pending, by default with the small module. */
export const submitBoth = async (desk: Desk, name: string, source = small): Promise<number> => {
  await desk.decide(await desk.submit({ ...before, name }), 'approved')
  return desk.submit({ ...after, name }, undefined, await assembleNamedWat(source))
}
