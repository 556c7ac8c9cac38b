import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { Fragment, useId, useState } from 'react'
import type { ReactNode } from 'react'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatCount, formatMiB } from '../../../lib/format.ts'
import type { FinishedRun } from './runs.ts'
import { runDetail, formatRunTime } from '../../../../shared/sandbox/run-labels.ts'
import { texts } from '../review.texts.ts'
import classes from './test-runs.module.css'
import { OutputDiff } from './output-diff.tsx'
import { RunDetails } from './run-details.tsx'
import { RunVerdictMark } from './run-verdict.tsx'

interface Props {
  /** `1`, or `custom`. */
  number: string
  input: string
  /** The expected output; null for custom input. */
  declared: string | null
  finished: FinishedRun | null
  /** Shown until there is a verdict. */
  waiting: ReactNode
  name: string
  opened?: boolean
}

const inputCharacters = 60
const namedCalls = 2

/** A run in the table: its result, differences below it, and all details when expanded. */
export function RunRow({ number, input, declared, finished, waiting, name, opened = false }: Props) {
  const [open, setOpen] = useState(opened)
  const details = useId()
  return (
    <Fragment>
      <tr className={classes['run']}>
        <td className={classes['number']}>
          {finished === null ? (
            number
          ) : (
            <button
              type="button"
              aria-expanded={open}
              aria-controls={open ? details : undefined}
              aria-label={texts.testRuns.details(number)}
              onClick={() => setOpen(!open)}
            >
              {number}
              {open ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
            </button>
          )}
        </td>
        <th scope="row" className={classes['input']}>
          <InputStart input={input} />
        </th>
        {finished === null ? (
          <td colSpan={5} className={classes['waiting']}>
            {waiting}
          </td>
        ) : (
          <>
            <Facts finished={finished} />
            <td className={classes['called']} data-mono>
              {finished.verdict === 'not-run' ? '' : callsInShort(finished)}
            </td>
          </>
        )}
      </tr>
      {finished !== null && <Below finished={finished} declared={declared} />}
      {finished !== null && open && (
        <tr>
          <td colSpan={7} className={classes['below']} data-text="hint" id={details}>
            <RunDetails finished={finished} name={name} showOutput={finished.verdict !== 'differs'} />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

function Facts({ finished: { run, verdict } }: { finished: FinishedRun }) {
  const ran = run.end !== 'not-run'
  return (
    <>
      <td>
        <RunVerdictMark verdict={verdict} exitCode={run.exitCode} />
      </td>
      <td className={classes['figure']}>{ran ? (run.exitCode ?? texts.testRuns.none) : ''}</td>
      <td className={classes['figure']}>{ran ? formatRunTime(run.timeMs) : ''}</td>
      <td className={classes['figure']}>{ran ? formatMiB(run.peakMemoryBytes) : ''}</td>
    </>
  )
}

/** Shown without expanding: what went wrong, and how the output differs. */
function Below({ finished: { run, verdict }, declared }: { finished: FinishedRun; declared: string | null }) {
  const differs = verdict === 'differs' && declared !== null
  const detail = runDetail(run)
  if (!differs && detail === null) return null
  return (
    <tr>
      <td colSpan={7} className={classes['below']} data-text="hint">
        {detail !== null && (
          <p>
            <PlainText text={detail} />
          </p>
        )}
        {differs && <OutputDiff declared={declared} actual={run.stdout} />}
      </td>
    </tr>
  )
}

/** Line breaks are shown as symbols, to keep it on one line. */
function InputStart({ input }: { input: string }) {
  if (input === '') return <span className={classes['none']}>{texts.testRuns.noInput}</span>
  const start = input.slice(0, inputCharacters).replaceAll('\n', '↵')
  return (
    <code>
      <PlainText text={start} />
      {input.length > inputCharacters && '…'}
    </code>
  )
}

function callsInShort({ run: { calls } }: FinishedRun): string {
  if (calls.length === 0) return texts.testRuns.none
  const named = calls.slice(0, namedCalls).map(({ name, count }) => `${name} ${formatCount(count)}`)
  return [...named, ...(calls.length > namedCalls ? [`+${calls.length - namedCalls}`] : [])].join(', ')
}
