import type { AgentStamp } from '../../../shared/contracts/desk-agents-common.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { ParamsOf, QueryName, ValueOf } from '../../agents/all-queries.ts'
import type { AgentsReader, Reading } from '../../agents/agents-reader.ts'
import { explainProblem } from '../../agents/explain-problem.ts'
import type { QueryResult } from '../../agents/queries/desk-query.ts'
import type { Problem } from '../../agents/reader-messages.ts'
import { texts } from './agents.texts.ts'

/** Queries whose answers state what they could not know. */
export type DeskQueryName = {
  [Name in QueryName]: ValueOf<Name> extends QueryResult<object> ? Name : never
}[QueryName]
type ResultValue<Name extends DeskQueryName> = ValueOf<Name> extends QueryResult<infer Value> ? Value : never

/** A desk query's answer with its age. */
export type Stamped<Name extends DeskQueryName> = { stamp: AgentStamp } & ResultValue<Name>

/** Answers that are repeated, with their age, while another program has locked the file. */
const maxCachedAnswers = 64

/** Seconds after which a client should retry while another program has locked the file. */
const retryAfterSeconds = 2

/** The error for a project that cannot be read. */
export const unavailable = ({ state, reason }: Problem): DomainError =>
  new DomainError(
    'AGENTS_UNAVAILABLE',
    explainProblem(reason),
    state === 'busy' ? { retryAfter: retryAfterSeconds } : {},
  )

export const isProblem = (reading: Reading<unknown>): reading is Problem =>
  reading.state === 'busy' || reading.state === 'unreadable'

/** Runs queries in the reading process and adds the age to each answer. */
export function createAgentReads(reader: Pick<AgentsReader, 'read' | 'project'>) {
  const cache = new Map<string, { stamp: AgentStamp }>()

  const store = (key: string, answer: { stamp: AgentStamp }): void => {
    cache.delete(key)
    cache.set(key, answer)
    for (const oldest of cache.keys()) {
      if (cache.size <= maxCachedAnswers) break
      cache.delete(oldest)
    }
  }

  return {
    /** Throws AGENTS_UNAVAILABLE if the project cannot be read, and the signal's reason when aborted. */
    async read<Name extends DeskQueryName>(
      query: Name,
      params: ParamsOf<Name>,
      signal?: AbortSignal,
    ): Promise<Stamped<Name>> {
      const key = JSON.stringify([reader.project().folder, query, params])
      const reading = await reader.read(query, params, signal === undefined ? {} : { signal })
      if (isProblem(reading)) {
        const last = reading.state === 'busy' ? cache.get(key) : undefined
        if (last === undefined) throw unavailable(reading)
        const stamp = { ...last.stamp, state: reading.state, sentence: explainProblem(reading.reason) }
        return { ...last, stamp } as Stamped<Name>
      }
      const { value, ...coverage } = reading.value as QueryResult<object>
      const { state, changedAt, readAt } = reading
      const sentence = state === 'ready' ? null : texts.state[state]
      const stamp = { state, sentence, revision: String(reading.revision), changedAt, readAt, ...coverage }
      const answer = { stamp, ...value } as Stamped<Name>
      if (state === 'ready') store(key, answer)
      return answer
    },
  }
}

export type AgentReads = ReturnType<typeof createAgentReads>
