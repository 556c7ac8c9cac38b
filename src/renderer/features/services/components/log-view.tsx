import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { maxLogLines } from '../../../../shared/contracts/desk-settings.ts'
import type { LogLine } from '../../../../shared/contracts/desk-settings.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { formatClock } from '../../../lib/time/time.ts'
import { filterLines, toneOf, writeLine } from '../log-lines.ts'
import type { LogFilter } from '../log-lines.ts'
import { useLog } from '../use-log.ts'
import classes from './log-view.module.css'

const services = [
  { key: 'all', label: 'All' },
  { key: 'registry', label: 'Registry' },
  { key: 'dashboard', label: 'Dashboard' },
] as const

const levels = [
  { key: 'every', label: 'Every level' },
  { key: 'warn', label: 'Warnings' },
  { key: 'error', label: 'Errors' },
] as const

const columns = [
  { key: 'at', label: 'Time', mono: true },
  { key: 'level', label: 'Level', mono: true },
  { key: 'service', label: 'Service', mono: true },
  { key: 'text', label: 'What', mono: true },
]

/** The log as it comes, newest last; it stands still while it is paused or while older lines are looked at. */
export function LogView() {
  const { lines, loading, error } = useLog()
  const [filter, setFilter] = useState<LogFilter>({ service: 'all', level: 'every', text: '' })
  const [still, setStill] = useState<{ lines: readonly LogLine[]; paused: boolean } | null>(null)
  const paused = still?.paused === true
  const shown = filterLines(still?.lines ?? lines, filter)
  const lastShown = still?.lines.at(-1)?.n ?? 0
  const news = still === null ? 0 : filterLines(lines, filter).filter(({ n }) => n > lastShown).length

  const toggle = (): void => setStill(paused ? null : { lines: still?.lines ?? lines, paused: true })
  const change = (part: Partial<LogFilter>): void => {
    setFilter({ ...filter, ...part })
    // Another choice of lines begins at its end.
    if (!paused) setStill(null)
  }
  const scroll = (atEnd: boolean): void => {
    if (paused) return
    if (atEnd) setStill(null)
    else if (still === null) setStill({ lines, paused: false })
  }
  useActions([
    {
      id: 'pause-log',
      label: paused ? 'go on with the log' : 'pause the log',
      group: 'Look',
      keys: ['p'],
      run: toggle,
    },
  ])

  return (
    <section className={classes['log']} aria-label="Log">
      <div className={classes['tools']}>
        <h2>Log</h2>
        <Choice
          label="Service"
          options={services}
          value={filter.service}
          onChange={(service) => change({ service })}
        />
        <Choice label="Level" options={levels} value={filter.level} onChange={(level) => change({ level })} />
        <div className={classes['search']}>
          <SearchField
            value={filter.text}
            placeholder="Filter, for example id:7c1"
            onSearch={(text) => change({ text })}
          />
        </div>
        <span className={classes['kept']}>newest last, {formatCount(maxLogLines)} lines kept</span>
        <Button
          size="sm"
          onClick={toggle}
          leftSection={paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          rightSection={<Keycap keys="p" quiet />}
        >
          {paused ? 'Go on' : 'Pause'}
        </Button>
        <CopyButton size="sm" label="Copy shown" text={shown.map(writeLine).join('\n')} />
      </div>
      {error !== null && <Failure error={error} what="The log cannot be read" />}
      <div className={classes['lines']}>
        <VirtualTable
          label="Lines of the log"
          columns={columns}
          widths="96px 44px 80px minmax(320px, 1fr)"
          total={shown.length}
          cells={(row) => cellsOf(shown[row])}
          view={JSON.stringify(filter)}
          rowHeight={20}
          row={(row) => {
            const line = shown[row]
            return line === undefined ? {} : { tone: toneOf(line) }
          }}
          follow={still === null}
          onScroll={scroll}
        />
        {shown.length === 0 && !loading && (
          <p className={classes['none']}>
            {lines.length === 0 ? 'Nothing has been logged yet.' : 'No kept line is like this.'}
          </p>
        )}
        {news > 0 && (
          <p className={classes['news']} role="status">
            {plural(news, 'new line')}
            <Button size="sm" variant="transparent" onClick={() => setStill(null)}>
              Show
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

function cellsOf(line: LogLine | undefined) {
  if (line === undefined) return null
  const at = new Date(line.at)
  return [
    <time key="at" dateTime={line.at}>
      {formatClock(at)}.{String(at.getMilliseconds()).padStart(3, '0')}
    </time>,
    <span key="level" className={classes['level']} data-level={toneOf(line)}>
      {line.level}
    </span>,
    line.service,
    <span key="text" className={classes['text']}>
      {line.text}
      {line.request !== null && <i> {line.request}</i>}
    </span>,
  ]
}
