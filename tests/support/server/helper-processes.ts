import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers'
import { forkHelper } from '../../../src/server/processes/fork-helper.ts'
import type { ForkedHelper } from '../../../src/server/processes/fork-helper.ts'
import type { HelperProcess } from '../../../src/server/processes/helper-process.ts'
import type { HelperKind } from '../../../src/shared/services-messages.ts'

const built = join(import.meta.dirname, '../../../out/main')

/** The built scripts of the helper processes. Each is a single file, which starts in a fifth of the time. */
export const helperEntries = {
  modules: join(built, 'validator.js'),
  pictures: join(built, 'pictures.js'),
  backups: join(built, 'backups.js'),
  agents: join(built, 'agents.js'),
}

/** Milliseconds for which a process waits for the next server, which also delays the end of a program. */
const keptMs = 3_000
/** A process that holds more memory after a job is not kept. */
const maxKeptBytes = 150_000_000

/** The server that uses a process. */
interface User {
  onMessage: ((message: unknown) => void)[]
  onExit: (() => void)[]
}

interface Shared {
  helper: ForkedHelper
  user: User | null
  /** Whether the latest message was an answer, after which the process waits for a job. */
  isWaiting: boolean
}

interface Answer {
  id?: number
  rss?: number
  isStuck?: boolean
}

const kept: Record<'modules' | 'pictures', Set<Shared>> = { modules: new Set(), pictures: new Set() }

function forkShared(kind: 'modules' | 'pictures'): Shared {
  const shared: Shared = { helper: forkHelper(helperEntries[kind], kind), user: null, isWaiting: false }
  shared.helper.onMessage((message) => {
    const { id, rss = Infinity, isStuck = false } = message as Answer
    shared.isWaiting = id !== undefined && rss < maxKeptBytes && !isStuck
    for (const listener of shared.user?.onMessage ?? []) listener(message)
  })
  shared.helper.onExit(() => {
    kept[kind].delete(shared)
    for (const listener of shared.user?.onExit ?? []) listener()
  })
  return shared
}

/**
 * Starts a helper process. Those that check modules and images are kept for the next server of this process when one
 * ends them after a job: a start takes more CPU time than most jobs.
 */
export function startHelper(kind: HelperKind, mayWrite?: string | null): HelperProcess<object> {
  if (kind !== 'modules' && kind !== 'pictures') return forkHelper(helperEntries[kind], kind, mayWrite)
  const [idle] = kept[kind]
  const shared = idle ?? forkShared(kind)
  kept[kind].delete(shared)
  const user: User = { onMessage: [], onExit: [] }
  shared.user = user
  if (idle !== undefined) {
    setImmediate(() => {
      for (const listener of user.onMessage) listener({ ready: true })
    })
  }
  return {
    send(message) {
      shared.isWaiting = false
      shared.helper.send(message)
    },
    onMessage: (listener) => void user.onMessage.push(listener),
    onExit: (listener) => void user.onExit.push(listener),
    kill() {
      if (shared.user !== user) return
      if (!shared.isWaiting) {
        shared.helper.kill()
        return
      }
      shared.user = null
      kept[kind].add(shared)
      setTimeout(() => {
        if (kept[kind].delete(shared)) shared.helper.kill()
      }, keptMs)
      setImmediate(() => {
        for (const listener of user.onExit) listener()
      })
    },
  }
}
