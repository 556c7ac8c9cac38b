import type { AgentStamp } from '../../../shared/contracts/desk-agents-common.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { ParamsOf, QueryName, ValueOf } from '../../agents/all-queries.ts'
import type { AgentsReader, Reading } from '../../agents/agents-reader.ts'
import { explainProblem } from '../../agents/explain-problem.ts'
import type { Known } from '../../agents/queries/desk-query.ts'

/** Queries whose answers say what they could not know. */
type DeskQueryName = {
  [Name in QueryName]: ValueOf<Name> extends Known<unknown> ? Name : never
}[QueryName]
type KnownValue<Name extends DeskQueryName> = ValueOf<Name> extends Known<infer Value> ? Value : never

export interface StampedRead<Value> {
  stamp: AgentStamp
  value: Value
}

/** Answers that are given once more, with their age, while another program holds the file. */
const keptAnswers = 64

const retryAfterSeconds = 2

export const projectSentences = {
  none: 'No agent project is chosen. Choose the folder of one.',
  missing: 'The project has no data/nexus.db. It is shown as soon as there is one.',
} as const

/** Asks the worker, and says with each answer how old it is. */
export function createAgentReads(reader: Pick<AgentsReader, 'read' | 'project'>) {
  const kept = new Map<string, StampedRead<unknown>>()

  const keep = (key: string, answer: StampedRead<unknown>): void => {
    kept.delete(key)
    kept.set(key, answer)
    for (const oldest of kept.keys()) {
      if (kept.size <= keptAnswers) break
      kept.delete(oldest)
    }
  }

  return {
    /** Throws AGENTS_UNAVAILABLE where nobody can read the project, and the signal's reason once that is aborted. */
    async read<Name extends DeskQueryName>(
      query: Name,
      params: ParamsOf<Name>,
      signal?: AbortSignal,
    ): Promise<StampedRead<KnownValue<Name>>> {
      const key = JSON.stringify([reader.project().folder, query, params])
      const reading: Reading<ValueOf<Name>> = await reader.read(
        query,
        params,
        signal === undefined ? {} : { signal },
      )
      if (reading.state === 'busy' || reading.state === 'unreadable') {
        const sentence = explainProblem(reading.reason)
        const last = reading.state === 'busy' ? kept.get(key) : undefined
        if (last !== undefined) {
          const stamp = { ...last.stamp, state: reading.state, sentence }
          return { stamp, value: last.value as KnownValue<Name> }
        }
        throw new DomainError(
          'AGENTS_UNAVAILABLE',
          sentence,
          reading.state === 'busy' ? { retryAfter: retryAfterSeconds } : {},
        )
      }
      const { missingTables, counting, value } = reading.value as Known<KnownValue<Name>>
      const { state, revision, changedAt, readAt } = reading
      const answer = {
        stamp: {
          state,
          sentence: state === 'ready' ? null : projectSentences[state],
          revision: String(revision),
          changedAt,
          readAt,
          missingTables,
          counting,
        },
        value,
      }
      if (state === 'ready') keep(key, answer)
      return answer
    },
  }
}

export type AgentReads = ReturnType<typeof createAgentReads>
