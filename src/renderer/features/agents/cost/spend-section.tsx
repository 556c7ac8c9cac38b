import type { AgentCost, SpendRow } from '../../../../shared/contracts/desk-agents-cost.ts'
import { spendFiles } from '../../../../shared/contracts/desk-agents-cost.ts'
import { Segmented } from '../../../components/list/segmented.tsx'
import { formatCount, plural, upperFirst } from '../../../lib/format.ts'
import { AgentLink, Quiet } from '../components/signs.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { allRows, ListTable } from '../../../components/list/data-table.tsx'
import { ExportLinks } from '../../../components/list/filter-bar.tsx'
import { ListSection } from '../table/table-section.tsx'
import { costFilter, costQuery } from './cost-filter.ts'
import type { CostFilter } from './cost-filter.ts'
import { tokenFormat } from './cost-words.ts'
import { formatCents } from './money.ts'
import { seriesName } from './spend-points.ts'

/** What each model or agent has taken and cost; calls without price are counted apart, and never as $0. */
export function SpendSection({ cost, filter }: { cost: AgentCost; filter: CostFilter }) {
  const by = cost.chart?.by ?? filter.by
  const { items, total } = by === 'model' ? cost.byModel : cost.byAgent
  const ways = (['model', 'agent'] as const).map((way) => ({
    key: way,
    label: upperFirst(way),
    href: costFilter.path({ ...filter, by: way }),
  }))
  const more = total - items.length
  return (
    <ListSection
      title={`By ${by}`}
      label={`Spend by ${by}`}
      tools={
        <>
          <Segmented label="What is told apart" current={filter.by} segments={ways} />
          <ExportLinks routes={spendFiles} query={costQuery(filter)} what="spend" />
        </>
      }
    >
      <ListTable
        label={`Spend by ${by}`}
        rows={allRows(items, by)}
        columns={columnsFor(by, cost.together === null ? items : [...items, cost.together])}
        sum={cost.together}
        most={7}
        gap={8}
      />
      {more > 0 && <Quiet>and {plural(more, by)} more; the files have all of them</Quiet>}
    </ListSection>
  )
}

function columnsFor(by: 'model' | 'agent', rows: readonly SpendRow[]): DataColumn<SpendRow>[] {
  const tokens = tokenFormat(rows.flatMap(({ tokensIn, tokensOut }) => [tokensIn, tokensOut]))
  const hasUnpriced = rows.some(({ spend }) => spend.unpriced > 0)
  return [
    {
      label: upperFirst(by),
      width: [76, 1],
      isRowHeader: true,
      mono: by === 'model',
      cell: ({ name }) =>
        by === 'agent' && name !== null ? <AgentLink name={name} /> : seriesName(name, by),
    },
    { label: 'Calls', width: 44, numeric: true, cell: ({ spend }) => formatCount(spend.calls) },
    ...(hasUnpriced
      ? [
          {
            label: 'no price',
            width: 44,
            numeric: true,
            cell: ({ spend }: SpendRow) => formatCount(spend.unpriced),
          },
        ]
      : []),
    { label: 'Tokens in', width: 52, numeric: true, cell: ({ tokensIn }) => tokens(tokensIn) },
    { label: 'out', width: 46, numeric: true, cell: ({ tokensOut }) => tokens(tokensOut) },
    {
      label: 'Spent',
      width: 62,
      numeric: true,
      cell: ({ spend }) => (spend.cents === null ? null : <b>{formatCents(spend.cents)}</b>),
    },
  ]
}
