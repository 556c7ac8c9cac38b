import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { maxLogLines } from '../../../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../../../shared/contracts/desk-settings.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Choice } from '../../../components/form/choice.tsx'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { allRows, DataTable } from '../../../components/list/data-table.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { filterLines, toneOf, writeLine } from '../log-lines.ts'
import type { LogFilter } from '../log-lines.ts'
import { useLog } from '../use-log.ts'
import { texts } from '../services.texts.ts'
import classes from './log-view.module.css'

const { log } = texts

const services = [
  { key: 'all', label: log.service.all },
  { key: 'registry', label: log.service.registry },
  { key: 'dashboard', label: log.service.dashboard },
] as const

const levels = [
  { key: 'every', label: log.level.every },
  { key: 'warn', label: log.level.warn },
  { key: 'error', label: log.level.error },
] as const

const columns: readonly DataColumn<LogLine>[] = [
  {
    label: log.columns.time,
    width: 96,
    mono: true,
    quiet: true,
    cell: ({ at }) => (
      <time dateTime={at}>
        {formatClock(new Date(at))}.{String(new Date(at).getMilliseconds()).padStart(3, '0')}
      </time>
    ),
  },
  {
    label: log.columns.level,
    width: 44,
    mono: true,
    cell: (line) => (
      <span className={classes['level']} data-level={toneOf(line)}>
        {line.level}
      </span>
    ),
  },
  {
    label: log.columns.service,
    width: 80,
    mono: true,
    quiet: true,
    cell: ({ service }) => log.serviceCell[service],
  },
  {
    label: log.columns.message,
    width: [320, 1],
    mono: true,
    cell: ({ text, request }) => (
      <span className={classes['text']}>
        {text}
        {request !== null && <i> {request}</i>}
      </span>
    ),
  },
]

/** The live log, newest line last. It stops following while it is paused or scrolled up. */
export function LogView() {
  const { lines, loading, error } = useLog()
  const [filter, setFilter] = useState<LogFilter>({ service: 'all', level: 'every', text: '' })
  const [frozen, setFrozen] = useState<{ lines: readonly LogLine[]; paused: boolean } | null>(null)
  const paused = frozen?.paused === true
  const shown = filterLines(frozen?.lines ?? lines, filter)
  const lastShown = frozen?.lines.at(-1)?.n ?? 0
  const news = frozen === null ? 0 : filterLines(lines, filter).filter(({ n }) => n > lastShown).length

  const toggle = (): void => setFrozen(paused ? null : { lines: frozen?.lines ?? lines, paused: true })
  const change = (part: Partial<LogFilter>): void => {
    setFilter({ ...filter, ...part })
    // A new filter shows the end of the log.
    if (!paused) setFrozen(null)
  }
  const scroll = (atEnd: boolean): void => {
    if (paused) return
    if (atEnd) setFrozen(null)
    else if (frozen === null) setFrozen({ lines, paused: false })
  }
  useActions([
    {
      id: 'pause-log',
      label: paused ? log.resumeAction : log.pauseAction,
      group: 'Look',
      keys: ['p'],
      run: toggle,
    },
  ])

  return (
    <section className={classes['log']} aria-label={log.title}>
      <div className={classes['tools']}>
        <h2>{log.title}</h2>
        <Choice
          label={log.service.label}
          options={services}
          value={filter.service}
          onChange={(service) => change({ service })}
        />
        <Choice
          label={log.level.label}
          options={levels}
          value={filter.level}
          onChange={(level) => change({ level })}
        />
        <div className={classes['search']}>
          <SearchField value={filter.text} placeholder={log.filter} onSearch={(text) => change({ text })} />
        </div>
        <span className={classes['limit']}>{log.limit(formatCount(maxLogLines))}</span>
        <ActionButton size="sm" onClick={toggle} icon={paused ? IconPlayerPlay : IconPlayerPause} keys="p">
          {paused ? log.resume : log.pause}
        </ActionButton>
        <CopyButton size="sm" label={log.copy} text={shown.map(writeLine).join('\n')} />
      </div>
      {error !== null && <Failure error={error} what={log.loadFailed} />}
      <div className={classes['lines']}>
        <DataTable
          label={log.table}
          rows={allRows(shown, JSON.stringify(filter))}
          columns={columns}
          rowHeight={20}
          gap={16}
          state={(line) => ({ tone: toneOf(line) })}
          follow={frozen === null}
          onScroll={scroll}
        />
        {shown.length === 0 && !loading && (
          <p className={classes['none']}>{lines.length === 0 ? log.empty : log.noMatches}</p>
        )}
        {news > 0 && (
          <p className={classes['news']} role="status">
            {log.newLines(news)}
            <Button size="sm" variant="transparent" onClick={() => setFrozen(null)}>
              {log.show}
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}
