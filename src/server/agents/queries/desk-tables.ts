import type { AgentTrust, EdgeDeployment } from '../../../shared/contracts/desk-agents-tables.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { stateOfAgent } from '../mirror/schema.ts'
import { orderBy, pageOf, searchCondition, viewQuery, where } from './desk-query.ts'

type Facet = { name: string; rows: number }[]

/** The values of a column with their row counts, by name. */
const facetOf = (mirror: Mirror, table: 'trust' | 'deployments', column: string): Facet =>
  mirror.all<Facet[number]>(
    `SELECT ${column} AS name, count(*) AS rows FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
  )

type TrustRow = Omit<AgentTrust, 'known'> & { known: 0 | 1 }

const trustRows = `SELECT agent, auid, tier, score, rating, verifiedAt, status,
  EXISTS (SELECT 1 FROM agents WHERE name = agent) AS known FROM trust`

const toTrust = (row: TrustRow): AgentTrust => ({ ...row, known: row.known === 1 })

/** The trust record of an agent; null if it has no record. */
export function trustOf(mirror: Mirror, agent: string): AgentTrust | null {
  const row = mirror.get<TrustRow>(`${trustRows} WHERE agent = ? ORDER BY key LIMIT 1`, agent)
  return row === undefined ? null : toTrust(row)
}

export const listTrust = viewQuery<'listTrust'>({
  needs: ['trust', 'agents'],
  compute({ mirror }, { q, tier, rating, status, sort, order, ...page }) {
    const filter = where(
      ['tier = ?', tier],
      ['rating = ?', rating],
      ['status = ?', status],
      searchCondition(q),
    )
    const by = orderBy(sort === 'verified' ? 'verifiedAt' : sort, order, 'agent, key')
    const { items, total } = pageOf<TrustRow>(mirror, trustRows, filter, by, page)
    return {
      items: items.map(toTrust),
      total,
      tiers: facetOf(mirror, 'trust', 'tier'),
      ratings: facetOf(mirror, 'trust', 'rating'),
      statuses: facetOf(mirror, 'trust', 'status'),
    }
  },
})

const edgeRows = `SELECT agent, worker, region, status, url, deployedAt,
  ${stateOfAgent('agent')} AS agentState FROM deployments`

/** Deployments of an agent. */
export const deploymentsOf = (mirror: Mirror, agent: string): EdgeDeployment[] =>
  mirror.all<EdgeDeployment>(`${edgeRows} WHERE agent = ? ORDER BY key`, agent)

export const listEdge = viewQuery<'listEdge'>({
  needs: ['deployments', 'agents'],
  compute({ mirror }, { q, region, status, sort, order, ...page }) {
    const filter = where(['region = ?', region], ['status = ?', status], searchCondition(q))
    const by = orderBy(sort === 'deployed' ? 'deployedAt' : sort, order, 'agent, key')
    return {
      ...pageOf<EdgeDeployment>(mirror, edgeRows, filter, by, page),
      regions: facetOf(mirror, 'deployments', 'region'),
      statuses: facetOf(mirror, 'deployments', 'status'),
    }
  },
})
