import {
  IconBinaryTree2,
  IconCoins,
  IconLayoutDashboard,
  IconListCheck,
  IconRobot,
  IconRoute,
  IconShieldCheck,
  IconWorld,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { AgentProject } from '../../../shared/contracts/desk-agents-project.ts'
import { AgentsPage } from './agents/agents-page.tsx'
import { AuditPage } from './audit/audit-page.tsx'
import { BrokerPage } from './broker/broker-page.tsx'
import { CostPage } from './cost/cost-page.tsx'
import { EdgePage } from './edge/edge-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { SupervisorsPage } from './supervisors/supervisors-page.tsx'
import { TrustPage } from './trust/trust-page.tsx'

export interface AgentView {
  path: string
  label: string
  icon: Icon
  page: ComponentType
  /** What stands beside its name in the side column. */
  count?: (counts: AgentProject['counts']) => number | null
}

const agents = (counts: AgentProject['counts']) => counts.agents
const supervisors = (counts: AgentProject['counts']) => counts.supervisors
const deployments = (counts: AgentProject['counts']) => counts.deployments

/** The views in the order of the side column. */
export const agentViews: readonly AgentView[] = [
  { path: '/agents', label: 'Overview', icon: IconLayoutDashboard, page: OverviewPage },
  { path: '/agents/list', label: 'Agents', icon: IconRobot, page: AgentsPage, count: agents },
  {
    path: '/agents/supervisors',
    label: 'Supervisors',
    icon: IconBinaryTree2,
    page: SupervisorsPage,
    count: supervisors,
  },
  { path: '/agents/cost', label: 'Cost', icon: IconCoins, page: CostPage },
  { path: '/agents/audit', label: 'Audit', icon: IconListCheck, page: AuditPage },
  { path: '/agents/trust', label: 'Trust', icon: IconShieldCheck, page: TrustPage },
  { path: '/agents/broker', label: 'Broker', icon: IconRoute, page: BrokerPage },
  { path: '/agents/edge', label: 'Edge', icon: IconWorld, page: EdgePage, count: deployments },
]
