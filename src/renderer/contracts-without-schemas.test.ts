import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { contractsWithoutSchemas } from './contracts-without-schemas.ts'

const load = async (name: string): Promise<string> => {
  const plugin = contractsWithoutSchemas()
  if (typeof plugin.load !== 'function') throw new Error('The plugin loads nothing')
  const context = { fs: { readFile } } as unknown as ThisParameterType<typeof plugin.load>
  const loaded = await plugin.load.call(context, resolve('src/shared/contracts', name))
  if (typeof loaded !== 'object' || loaded === null) throw new Error(`${name} was not loaded`)
  return loaded.code
}

test('the desk gets methods, paths, access and constants of a contract without zod', async () => {
  const code = await load('desk-review.ts')
  expect(code).toContain(
    '"getDeskRelease":{"method":"GET","path":"/desk/api/releases/{id}","access":"reviewer"}',
  )
  expect(code).toContain('export const queueViews = ["pending","decided","all"]')
  expect(code).not.toMatch(/zod|summary/)
})

test('a schema or a function is exported from the complete contract, which is the file', async () => {
  expect(await load('people.ts')).toMatch(/^export \{ subjectSchema \} from ".*people\.ts\?complete"$/m)
  expect(await load('people.ts?complete')).toBe(await readFile('src/shared/contracts/people.ts', 'utf8'))
})
