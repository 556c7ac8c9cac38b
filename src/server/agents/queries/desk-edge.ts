import type { EdgeDeployment, edgeSorts } from '../../../shared/contracts/desk-agents-tables.ts'
import { agentIndexOf } from '../memory/agent-index.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { deskQuery } from '../memory/desk-query.ts'
import type { KnownDeployment } from '../memory/small-tables.ts'
import { sortRows } from '../memory/sort-rows.ts'
import { facetOf, isOf } from './desk-trust.ts'
import type { Facet } from './desk-trust.ts'

export interface EdgeParams {
  q?: string | undefined
  region?: string | undefined
  status?: string | undefined
  sort: (typeof edgeSorts)[number]
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

export interface EdgeValue {
  items: EdgeDeployment[]
  total: number
  regions: Facet
  statuses: Facet
}

export const toDeployment = (memory: AgentsMemory, deployment: KnownDeployment): EdgeDeployment => ({
  ...deployment,
  agentState: agentIndexOf(memory).get(deployment.agent)?.state ?? null,
})

export const deskEdge = deskQuery<EdgeParams, EdgeValue>({
  needs: ['deployments', 'agents'],
  compute({ memory }, params) {
    const { rows } = memory.deployments
    const text = params.q?.toLowerCase() ?? ''
    const found = rows.filter(
      ({ agent, worker, url, region, status }) =>
        isOf(params.region, region) &&
        isOf(params.status, status) &&
        (text === '' || [agent, worker, url].some((part) => part?.toLowerCase().includes(text))),
    )
    const { sort } = params
    const sorted = sortRows(
      found,
      sort === 'deployed' ? ({ deployedAt }) => deployedAt : (deployment) => deployment[sort],
      params.order,
      ({ agent }) => agent,
    )
    return {
      items: sorted
        .slice(params.offset, params.offset + params.limit)
        .map((one) => toDeployment(memory, one)),
      total: found.length,
      regions: facetOf(rows.map(({ region }) => region)),
      statuses: facetOf(rows.map(({ status }) => status)),
    }
  },
  empty: () => ({ items: [], total: 0, regions: [], statuses: [] }),
})
