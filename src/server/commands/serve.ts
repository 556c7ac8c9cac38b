import { availableParallelism } from 'node:os'
import type { Call, Outcome } from './command.ts'
import { ownEnvironment, readConfig } from '../settings/config.ts'
import { given } from '../settings/settings.ts'
import { texts } from './commands.texts.ts'
import type { serveCommand } from './declarations.ts'
import { UsageError } from './exit-codes.ts'
import { runReader, runServices } from './run-services.ts'

/** More processes than any computer needs, and few enough that a typing error does no harm. */
const maxWorkers = 64

/** `skilldock serve`: runs until SIGTERM or SIGINT. */
export async function serve({ options, program, print }: Call<typeof serveCommand>): Promise<Outcome> {
  const workers = findWorkers(options.workers)
  if (options.follow !== undefined) {
    if (workers.value !== '1') throw new UsageError(texts.serve.noWorkersFollowing(workers.from))
    return runReader(program, print, readWriter(options.follow))
  }
  const count = countWorkers(workers)
  if (count === 1) return runServices(program, print)
  if (readConfig().replication !== null) throw new UsageError(texts.serve.noWorkersReplicated(workers.from))
  if (program.workerEntry === undefined) throw new UsageError(texts.serve.noWorkersInApp(workers.from))
  return runServices(program, print, { workers: { count, entry: program.workerEntry } })
}

/** What was asked for, and where; the option takes precedence (rulings, "Workers"). */
interface ChosenWorkers {
  from: '--workers' | 'SKILLDOCK_WORKERS'
  value: string
}

function findWorkers(option: string | undefined): ChosenWorkers {
  if (option !== undefined) return { from: '--workers', value: option }
  return { from: 'SKILLDOCK_WORKERS', value: given(ownEnvironment(), 'SKILLDOCK_WORKERS') ?? '1' }
}

function countWorkers({ from, value }: ChosenWorkers): number {
  if (value === 'auto') return Math.min(availableParallelism(), maxWorkers)
  const count = Number(value)
  if (/^\d+$/.test(value) && count >= 1 && count <= maxWorkers) return count
  throw new UsageError(texts.serve.invalidWorkers(from, value, maxWorkers))
}

function readWriter(value: string): URL {
  const url = URL.parse(value)
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url
  throw new UsageError(texts.serve.invalidWriter(value))
}
