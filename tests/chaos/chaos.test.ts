import { afterAll, expect, test } from 'vitest'
import { cleanUp } from '../support/server/command-line.ts'
import { interruptBackups, interruptRestores } from './commands.ts'
import { createLedger, writeKinds } from './ledger.ts'
import { createRandom } from './random.ts'
import { interruptWrites } from './writes.ts'

afterAll(cleanUp)

/** `npm run chaos` repeats it more often. */
const times = 8

// One registry for all: the commands are killed with the data that the killed servers have left.
test('nothing acknowledged is lost, and nothing half-made is visible, when the server or a command is killed', async () => {
  const random = createRandom(17)
  const writes = await interruptWrites(random, times)
  expect(writes.violations).toEqual([])
  for (const kind of writeKinds) {
    expect(writes.tallies[kind].acknowledged, kind).toBeGreaterThan(0)
    expect(writes.tallies[kind].interrupted, kind).toBeGreaterThanOrEqual(times)
  }
  const backups = await interruptBackups(random, times, writes.folder)
  expect(backups.violations).toEqual([])
  const restores = await interruptRestores(random, times, writes.folder)
  expect(restores.violations).toEqual([])
  expect([backups.killed, restores.killed]).toEqual([times, times])
}, 600_000)

test.each([
  ['is missing', 'absent'],
  ['has another value', 'rejected'],
])('an acknowledged write that %s is found', async (_what, actual) => {
  const ledger = createLedger()
  await ledger.write('decision', 'release a', 'approved', () => Promise.resolve(true))
  expect(ledger.settle(() => actual)).toEqual([`release a is ${actual} instead of approved`])
})

test('a refused write that had an effect is found', async () => {
  const ledger = createLedger()
  await ledger.write('post', 'post 1', 'new', () => Promise.resolve(false))
  expect(ledger.settle(() => 'new')).toEqual(['post 1 is new instead of absent'])
})

test('a write without an answer may have happened or not, but nothing else', async () => {
  const find = async (actual: string): Promise<string[]> => {
    const ledger = createLedger()
    await ledger.write('post', 'post 1', 'old', () => Promise.resolve(true))
    const lost = ledger.write('post', 'post 1', 'new', () => Promise.reject(new Error('no answer')))
    await expect(lost).rejects.toThrow('no answer')
    return ledger.settle(() => actual)
  }
  expect([await find('old'), await find('new'), await find('half')]).toEqual([
    [],
    [],
    ['post 1 is half instead of old or new'],
  ])
})
