import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconFingerprint, IconRobot, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import { SearchField } from '../../../components/list/search-field.tsx'
import { formatCount } from '../../../lib/format.ts'
import { auditTimes } from './audit-filter.ts'
import type { AuditListFilter } from './audit-filter.ts'
import { auditFacetsQuery } from './audit.api.ts'
import classes from './audit-filters.module.css'
import { FacetPicker } from '../components/facet-picker.tsx'

interface Props {
  filter: AuditListFilter
  summary: AuditSummary | null
  onFilter: (filter: AuditListFilter) => void
  /** How many rows are shown, and the exports. */
  children: ReactNode
}

const timeWords = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7 days': '7 days',
  '30 days': '30 days',
  range: 'Days…',
} as const

/** Words of the rows, agent, event, time in UTC, and whether only trouble is wanted. */
export function AuditFilters({ filter, summary, onFilter, children }: Props) {
  const [opened, setOpened] = useState(false)
  const facets = useQuery({ ...auditFacetsQuery, enabled: opened })
  const open = (): void => setOpened(true)
  const trouble = summary === null ? null : summary.mismatches + summary.gaps
  return (
    <div className={classes['bar']}>
      <div className={classes['filters']} role="search" aria-label="Filter the audit">
        <div className={classes['search']}>
          <SearchField
            value={filter.q}
            placeholder="Detail, agent or event"
            onSearch={(q) => onFilter({ ...filter, q })}
          />
        </div>
        <FacetPicker
          label="Agent"
          any="Any agent"
          icon={IconRobot}
          width={140}
          facets={facets.data?.agents}
          value={filter.agent}
          onValue={(agent) => onFilter({ ...filter, agent })}
          onOpen={open}
        />
        <FacetPicker
          label="Event"
          any="Any event"
          icon={IconTag}
          width={140}
          facets={facets.data?.events}
          value={filter.event}
          onValue={(event) => onFilter({ ...filter, event })}
          onOpen={open}
        />
        <NativeSelect
          size="sm"
          aria-label="Time, UTC"
          value={filter.time ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onFilter({
              ...filter,
              time: auditTimes.find((time) => time === value) ?? null,
              from: null,
              to: null,
            })
          }
          data={[
            { value: '', label: 'Any time' },
            ...auditTimes.map((time) => ({ value: time, label: timeWords[time] })),
          ]}
        />
        {filter.time === 'range' && (
          <>
            <Day label="from" value={filter.from} onDay={(from) => onFilter({ ...filter, from })} />
            <Day label="to" value={filter.to} onDay={(to) => onFilter({ ...filter, to })} />
            <span className={classes['zone']}>UTC</span>
          </>
        )}
        <Button
          size="sm"
          className={classes['trouble'] ?? ''}
          aria-pressed={filter.trouble}
          leftSection={<IconFingerprint size={16} stroke={1.75} />}
          onClick={() => onFilter({ ...filter, trouble: !filter.trouble })}
        >
          Mismatches and gaps{trouble !== null && <b>{formatCount(trouble)}</b>}
        </Button>
      </div>
      <div className={classes['end']}>{children}</div>
    </div>
  )
}

function Day({
  label,
  value,
  onDay,
}: {
  label: string
  value: string | null
  onDay: (day: string | null) => void
}) {
  return (
    <label className={classes['day']}>
      {label}
      <TextInput
        size="sm"
        type="date"
        value={value ?? ''}
        onChange={({ currentTarget }) => onDay(currentTarget.value === '' ? null : currentTarget.value)}
      />
    </label>
  )
}
