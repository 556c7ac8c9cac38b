import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import { agentSorts } from '../../../../shared/contracts/desk-agents.ts'
import { choice, flag, named, searched, sorted, viewFilter } from '../../../lib/list/view-filter.ts'

/** Which agents are listed and in which order. `unsupervised` are those that no supervisor names. */
export const agentFilter = viewFilter(
  '/agents/list',
  {
    q: searched,
    state: choice(agentStates, null, (state) => `Not only ${state}`),
    supervisor: named(500, (name) => `Not only those of ${name}`),
    unsupervised: flag('Also those with a supervisor'),
    revoked: flag('Also other modules'),
    ...sorted(agentSorts),
  },
  (filter) => (filter.unsupervised ? { ...filter, supervisor: null } : filter),
)
export type AgentListFilter = typeof agentFilter.usual
