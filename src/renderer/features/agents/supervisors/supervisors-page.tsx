import { IconBinaryTree2, IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { plural } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { agentListPath, allAgents } from '../agents/agent-filter.ts'
import { useAgentRead } from '../agent-live.ts'
import { supervisorsQuery } from '../agents.api.ts'
import { Counting } from '../audit/counting.tsx'
import { ExportLinks } from '../components/export-links.tsx'
import { NewsLine } from '../components/news-line.tsx'
import { SupervisorDetail } from './supervisor-detail.tsx'
import { SupervisorTree } from './supervisor-tree.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { filterTree, keepChildren, treeShape } from './supervisor-tree.ts'
import classes from './supervisors-page.module.css'
import { newsWords } from '../agents/use-agent-list.ts'
import { useHeldRows } from '../use-held-rows.ts'
import { pathWith, useAddressParam } from '../view-address.ts'

const pathFor = (q: string, trouble: boolean, id: string | null): string =>
  pathWith('/agents/supervisors', { q, show: trouble ? 'trouble' : null, id })

/** Who starts whom again, how often, and how that stands. */
export function SupervisorsPage() {
  useTitle('Supervisors', 'Agents')
  const [, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const q = (params.get('q') ?? '').slice(0, 100)
  const trouble = params.get('show') === 'trouble'
  const [selected, select] = useAddressParam('id')
  const [openedAt] = useState(() => Date.now())
  const read = useAgentRead(supervisorsQuery)
  const { data } = read
  const held = useHeldRows({
    rows: data === undefined ? undefined : filterTree(data.items, { q, trouble }),
    identity: JSON.stringify([q, trouble]),
    keyOf: ({ id }) => id,
    shapeOf: treeShape,
    update: keepChildren,
    fresh: read.dataUpdatedAt >= openedAt,
  })
  const inTrouble = data?.items.filter((one) => one.trouble).length
  const detail = data?.items.find(({ id }) => id === selected)
  return (
    <>
      <ViewHead title="Supervisors" stamp={data?.stamp ?? null}>
        <div className={classes['search']}>
          <SearchField
            value={q}
            placeholder="Supervisor or agent"
            onSearch={(text) => navigate(pathFor(text, trouble, selected), { replace: true })}
          />
        </div>
        <Segmented
          label="Which supervisors"
          current={trouble ? 'trouble' : 'all'}
          segments={[
            { key: 'all', label: 'All', count: data?.items.length, href: pathFor(q, false, selected) },
            { key: 'trouble', label: 'In trouble', count: inTrouble, href: pathFor(q, true, selected) },
          ]}
        />
        <ExportLinks
          csv={deskAgentRoutes.exportSupervisorsCsv}
          json={deskAgentRoutes.exportSupervisorsJson}
          what="supervisors"
        />
      </ViewHead>
      <div className={classes['body']}>
        <div className={classes['list']}>
          <div className={classes['news']}>
            <NewsLine words={newsWords(held.news, 'supervisor')} onShow={held.showNews} />
          </div>
          {read.error !== null && (
            <ReadFailure
              error={read.error}
              what="The supervisors cannot be read"
              retry={() => void read.refetch()}
            />
          )}
          {data === undefined && read.error === null && (
            <ReadBones rows={12} height={32} what="the supervisors" />
          )}
          {data !== undefined && <Counting stamp={data.stamp} />}
          {data !== undefined && held.rows.length === 0 && <Nothing q={q} trouble={trouble} />}
          {held.rows.length > 0 && (
            <SupervisorTree
              supervisors={held.rows}
              searched={q !== ''}
              view={JSON.stringify([q, trouble])}
              selected={selected}
              onSelect={select}
            />
          )}
          {data !== undefined && data.unsupervised !== null && data.unsupervised > 0 && (
            <p className={classes['alone']}>
              {plural(data.unsupervised, 'agent has', 'agents have')} no supervisor.{' '}
              <Link href={agentListPath({ ...allAgents, unsupervised: true })}>Show them</Link>
            </p>
          )}
        </div>
        {detail !== undefined && (
          <SupervisorDetail key={detail.id} supervisor={detail} onClose={() => select(null)} />
        )}
      </div>
    </>
  )
}

function Nothing({ q, trouble }: { q: string; trouble: boolean }) {
  if (q === '' && !trouble) {
    return (
      <EmptyState icon={IconBinaryTree2} title="The project has no supervisors">
        <p>They are listed as soon as the database holds one.</p>
      </EmptyState>
    )
  }
  if (q === '') {
    return (
      <EmptyState icon={IconBinaryTree2} title="No supervisor is in trouble">
        <Link href={pathFor('', false, null)}>All supervisors</Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconFilter} title={`No supervisor and no agent of one has “${q}” in its name`}>
      <p>
        <Link href={pathFor('', trouble, null)}>Drop “{q}”</Link>{' '}
        {trouble && <Link href={pathFor(q, false, null)}>Also those that are well</Link>}
      </p>
    </EmptyState>
  )
}
