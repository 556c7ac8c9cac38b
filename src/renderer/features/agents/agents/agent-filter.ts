import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import { agentSorts } from '../../../../shared/contracts/desk-agents.ts'
import { pathWith } from '../view-address.ts'

export type AgentSort = (typeof agentSorts)[number]

/** Which agents are listed and in which order; it stands in the address, and the exports have the same. */
export interface AgentListFilter {
  q: string
  state: AgentState | null
  /** Name of the supervisor; `unsupervised` means that none names them. */
  supervisor: string | null
  unsupervised: boolean
  revoked: boolean
  sort: AgentSort
  order: 'asc' | 'desc'
}

export const allAgents: AgentListFilter = {
  q: '',
  state: null,
  supervisor: null,
  unsupervised: false,
  revoked: false,
  sort: 'name',
  order: 'asc',
}

export function readAgentFilter(search: string): AgentListFilter {
  const params = new URLSearchParams(search)
  const unsupervised = params.get('unsupervised') === 'true'
  return {
    q: (params.get('q') ?? '').slice(0, 100),
    state: agentStates.find((state) => state === params.get('state')) ?? null,
    supervisor: unsupervised ? null : (params.get('supervisor')?.slice(0, 500) ?? null),
    unsupervised,
    revoked: params.get('revoked') === 'true',
    sort: agentSorts.find((sort) => sort === params.get('sort')) ?? 'name',
    order: params.get('order') === 'desc' ? 'desc' : 'asc',
  }
}

/** What is usual is left out. */
export function agentListPath(filter: AgentListFilter): string {
  return pathWith('/agents/list', agentListQuery(filter))
}

/** The same for the server. */
export function agentListQuery(filter: AgentListFilter) {
  const { q, state, supervisor, unsupervised, revoked, sort, order } = filter
  return {
    ...(q === '' ? {} : { q }),
    ...(state === null ? {} : { state }),
    ...(supervisor === null || unsupervised ? {} : { supervisor }),
    ...(unsupervised ? { unsupervised: 'true' } : {}),
    ...(revoked ? { revoked: 'true' } : {}),
    ...(sort === 'name' ? {} : { sort }),
    ...(order === 'asc' ? {} : { order }),
  }
}

/** Whether it leaves out any agent. */
export function isNarrowed({ q, state, supervisor, unsupervised, revoked }: AgentListFilter): boolean {
  return q !== '' || state !== null || supervisor !== null || unsupervised || revoked
}
