// Kills the server and its commands at random instants, and checks that nothing acknowledged was lost.
import { parseArgs } from 'node:util'
import { cleanUp } from '../support/server/command-line.ts'
import { interruptBackups, interruptRestores } from './commands.ts'
import { createRandom } from './random.ts'
import { interruptWrites } from './writes.ts'

const usage = `Usage: npm run chaos -- [OPTIONS]
  --rounds N   how often each kind of work is killed (default: 100)
  --seed N     the same seed chooses the same work and instants (default: the time)`

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
})

if (options.help === true) {
  console.log(usage)
} else {
  const rounds = Number(options.rounds)
  const seed = Number(options.seed ?? Date.now() % 1_000_000)
  if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed)) {
    throw new Error('--rounds must be a whole number from 1, and --seed a whole number')
  }
  console.log(`seed ${seed}, ${rounds} rounds of each`)
  const random = createRandom(seed)
  try {
    const writes = await interruptWrites(random, rounds, (round) => {
      if (round % 10 === 0) console.log(`  writes: round ${round}`)
    })
    console.table(writes.tallies)
    const backups = await interruptBackups(random, rounds, writes.folder)
    const restores = await interruptRestores(random, rounds, writes.folder)
    console.table({
      backups: { killed: backups.killed, finished: backups.finished },
      restores: { killed: restores.killed, finished: restores.finished },
    })
    const violations = [writes, backups, restores].flatMap((figures) => figures.violations)
    for (const violation of violations) console.log(violation)
    console.log(`${violations.length} violations`)
    process.exitCode = violations.length === 0 ? 0 : 1
  } finally {
    await cleanUp()
  }
}
