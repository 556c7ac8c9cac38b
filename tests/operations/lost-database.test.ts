import { readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { startTestRegistry } from '../support/server/registry.ts'

afterAll(cleanUp)

test('without its database, a folder with packages is refused and stays unchanged', async () => {
  const folder = temporaryFolder()
  const paths = dataPaths(folder)
  const app = await startTestRegistry({ folder })
  await app.release({ name: 'upper-case' }, 'approved')
  await app.stop()
  const kept = `${paths.database}.kept`
  renameSync(paths.database, kept)
  const packages = readdirSync(paths.packages)
  expect(packages).toHaveLength(1)

  const sentence = /^The database of .+ is missing or empty, but its packages or images are still there\./
  await expect(startTestRegistry({ folder })).rejects.toThrow(sentence)
  const run = await skilldockHere(folder, ['token', '--subject', 'eve'])
  expect(run).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(sentence) })
  expect(readdirSync(folder)).not.toContain('skilldock.db')
  // A database that was cut off at its start is no different.
  writeFileSync(paths.database, '')
  await expect(startTestRegistry({ folder })).rejects.toThrow(sentence)
  expect(readFileSync(paths.database)).toHaveLength(0)
  expect(readdirSync(paths.packages)).toEqual(packages)

  rmSync(paths.database)
  renameSync(kept, paths.database)
  const again = await startTestRegistry({ folder })
  const reply = await fetch(`${again.api}/skills/upper-case/1.0.0/package`)
  expect(Buffer.from(await reply.arrayBuffer()).equals(app.wasm)).toBe(true)
  await again.stop()
})
