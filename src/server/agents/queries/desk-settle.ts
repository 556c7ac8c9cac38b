import type { AgentsQuery } from '../agents-query.ts'
import { memoryOf } from '../memory/agents-memory.ts'
import type { AgentsMemory, Part } from '../memory/agents-memory.ts'
import type { AgentsDatabase } from '../agents-database.ts'

/** How much of the work in the background is done by one call. */
export interface Settled {
  /** Whether everything has been read since the last change, and every module has been looked at. */
  isDone: boolean
  /** Whether somebody waits for the rest: rows have never been gone through, or modules have no digest yet. */
  isUrgent: boolean
  /** Another text means that something of it can be told differently. */
  version: string
}

const sliceMs = 20
const all: readonly Part[] = [
  'agents',
  'supervisors',
  'children',
  'budgets',
  'trust',
  'deployments',
  'skills',
  'costs',
  'routes',
  'audit',
]

/** The serials up to which a memory is being brought, over several slices: an owner who writes all the while ends too. */
const goals = new WeakMap<AgentsMemory, number>()

function syncAll(memory: AgentsMemory, database: AgentsDatabase, deadline: number): boolean {
  const goal = goals.get(memory) ?? memory.look()
  const isSynced = memory.sync(database, all, goal, deadline) === 'nothing'
  if (isSynced) goals.delete(memory)
  else goals.set(memory, goal)
  return isSynced
}

/** One slice of the work that nobody waits for: counts what is new, checks old rows again, hashes modules. */
export const deskSettle: AgentsQuery<null, Settled> = {
  read(database) {
    const memory = memoryOf(database)
    const deadline = performance.now() + sliceMs
    const isUrgent = !(syncAll(memory, database, deadline) && memory.lookAtModules(deadline))
    const isDone = !isUrgent && memory.checkAgain(database, deadline)
    const { audit, costs, routes, modules } = memory
    const version = [audit.tape, costs.tape, routes.tape, modules].map((part) => part.version).join(' ')
    return { value: { isDone, isUrgent, version } }
  },
  isBackground: true,
  empty: () => ({ isDone: true, isUrgent: false, version: '' }),
}
