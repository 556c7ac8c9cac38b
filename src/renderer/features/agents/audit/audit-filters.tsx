import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconFingerprint, IconRobot, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import { formatCount } from '../../../lib/format.ts'
import { auditTimes } from './audit-filter.ts'
import type { AuditListFilter } from './audit-filter.ts'
import { auditFacetsQuery } from './audit.api.ts'
import classes from './audit-filters.module.css'
import { FacetPicker } from '../table/facet-picker.tsx'
import type { FilterState } from '../table/use-view-filter.ts'

interface Props {
  state: FilterState<AuditListFilter>
  summary: AuditSummary | null
}

const timeWords = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7 days': '7 days',
  '30 days': '30 days',
  range: 'Days…',
} as const

/** Agent, event, time in UTC, and whether only trouble is wanted. */
export function AuditFilters({ state: { filter, show, pick }, summary }: Props) {
  const [opened, setOpened] = useState(false)
  const facets = useQuery({ ...auditFacetsQuery, enabled: opened })
  const open = (): void => setOpened(true)
  const trouble = summary === null ? null : summary.mismatches + summary.gaps
  return (
    <>
      <FacetPicker
        {...pick('agent')}
        icon={IconRobot}
        width={140}
        facets={facets.data?.agents}
        onOpen={open}
      />
      <FacetPicker {...pick('event')} icon={IconTag} width={140} facets={facets.data?.events} onOpen={open} />
      <NativeSelect
        size="sm"
        aria-label="Time, UTC"
        value={filter.time ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show({ time: auditTimes.find((time) => time === value) ?? null, from: null, to: null })
        }
        data={[
          { value: '', label: 'Any time' },
          ...auditTimes.map((time) => ({ value: time, label: timeWords[time] })),
        ]}
      />
      {filter.time === 'range' && (
        <>
          <Day label="from" value={filter.from} onDay={(from) => show({ from })} />
          <Day label="to" value={filter.to} onDay={(to) => show({ to })} />
          <span className={classes['zone']}>UTC</span>
        </>
      )}
      <Button
        size="sm"
        className={classes['trouble'] ?? ''}
        aria-pressed={filter.trouble}
        leftSection={<IconFingerprint size={16} stroke={1.75} />}
        onClick={() => show({ trouble: !filter.trouble })}
      >
        Mismatches and gaps{trouble !== null && <b>{formatCount(trouble)}</b>}
      </Button>
    </>
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
