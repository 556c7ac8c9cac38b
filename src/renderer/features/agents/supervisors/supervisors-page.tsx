import { IconBinaryTree2 } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { plural } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { agentFilter } from '../agents/agent-filter.ts'
import { useAgentRead } from '../agent-live.ts'
import { supervisorsQuery } from '../agents.api.ts'
import { Counting } from '../components/counting.tsx'
import { ExportLinks } from '../table/export-links.tsx'
import { NewsLine } from '../table/news-line.tsx'
import { SupervisorDetail } from './supervisor-detail.tsx'
import { SupervisorTree } from './supervisor-tree.tsx'
import { ReadState } from '../components/read-state.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { filterTree, keepChildren, treeShape } from './supervisor-tree.ts'
import classes from './supervisors-page.module.css'
import { DropFilters } from '../table/drop-filters.tsx'
import { newsWords } from '../table/use-table-rows.ts'
import { useViewFilter } from '../table/use-view-filter.ts'
import { choice, named, searched, viewFilter } from '../table/view-filter.ts'
import { useHeldRows } from '../use-held-rows.ts'
import { useAddressParam } from '../view-address.ts'

const supervisorFilter = viewFilter('/agents/supervisors', {
  q: searched,
  show: choice(['trouble'], null, () => 'Also those that are well'),
  /** The one whose details are shown. */
  id: named(500),
})

/** Who starts whom again, how often, and how that stands. */
export function SupervisorsPage() {
  useTitle('Supervisors', 'Agents')
  const { filter, show } = useViewFilter(supervisorFilter)
  const { q, id: selected } = filter
  const trouble = filter.show === 'trouble'
  const [, select] = useAddressParam('id')
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
          <SearchField value={q} placeholder="Supervisor or agent" onSearch={(text) => show({ q: text })} />
        </div>
        <Segmented
          label="Which supervisors"
          current={trouble ? 'trouble' : 'all'}
          segments={[
            {
              key: 'all',
              label: 'All',
              count: data?.items.length,
              href: supervisorFilter.path({ ...filter, show: null }),
            },
            {
              key: 'trouble',
              label: 'In trouble',
              count: inTrouble,
              href: supervisorFilter.path({ ...filter, show: 'trouble' }),
            },
          ]}
        />
        <ExportLinks
          routes={{
            csv: deskAgentRoutes.exportSupervisorsCsv,
            json: deskAgentRoutes.exportSupervisorsJson,
          }}
          what="supervisors"
        />
      </ViewHead>
      <div className={classes['body']}>
        <div className={classes['list']}>
          <div className={classes['news']}>
            <NewsLine words={newsWords(held.news, 'supervisor')} onShow={held.showNews} />
          </div>
          <ReadState what="the supervisors" read={read} rows={12} />
          {data !== undefined && <Counting stamp={data.stamp} />}
          {data !== undefined && held.rows.length === 0 && <Nothing filter={{ ...filter, id: null }} />}
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
              <Link href={agentFilter.path({ unsupervised: true })}>Show them</Link>
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

function Nothing({ filter }: { filter: typeof supervisorFilter.usual }) {
  const { q, show } = filter
  if (q !== '') {
    return (
      <DropFilters title={`No supervisor and no agent of one has “${q}” in its name`}>
        {supervisorFilter.drops(filter).map(({ label, next }) => (
          <Link key={label} href={supervisorFilter.path(next)}>
            {label}
          </Link>
        ))}
      </DropFilters>
    )
  }
  if (show !== null) {
    return (
      <EmptyState icon={IconBinaryTree2} title="No supervisor is in trouble">
        <Link href={supervisorFilter.path({})}>All supervisors</Link>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconBinaryTree2} title="The project has no supervisors">
      <p>They are listed as soon as the database holds one.</p>
    </EmptyState>
  )
}
