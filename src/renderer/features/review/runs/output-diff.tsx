import { useMemo } from 'react'
import { TextParts } from '../../../components/text/text-diff.tsx'
import { diffOutput } from '../../../../shared/sandbox/output-diff.ts'
import type { OutputPart, OutputRow } from '../../../../shared/sandbox/output-diff.ts'
import { texts } from '../review.texts.ts'
import classes from './run-details.module.css'

const labels = { same: '', removed: texts.testRuns.expected, added: texts.testRuns.actual }

/** The diff of expected and actual output. Unchanged lines far from a difference are folded. */
export function OutputDiff({ declared, actual }: { declared: string; actual: Uint8Array }) {
  const { sentence, rows } = useMemo(() => diffOutput(declared, actual), [declared, actual])
  return (
    <div>
      {sentence !== null && <p className={classes['sentence']}>{sentence}</p>}
      {rows.length > 0 && (
        <div className={classes['lines']} data-mono role="group" aria-label={texts.testRuns.outputs}>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Row key={index} row={row} />
          ))}
        </div>
      )}
    </div>
  )
}

function Row({ row }: { row: OutputRow }) {
  if (row.kind === 'folded') return <p className={classes['folded']}>{texts.testRuns.moreLines(row.lines)}</p>
  if (row.kind === 'rest') return <p className={classes['folded']}>{texts.testRuns.moreOutput(row.bytes)}</p>
  return (
    <div className={classes['line']} data-kind={row.kind}>
      <span className={classes['label']}>{labels[row.kind]}</span>
      <span className={classes['text']}>
        {row.parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Part key={index} part={part} />
        ))}
      </span>
    </div>
  )
}

function Part({ part }: { part: OutputPart }) {
  if (part.kind !== 'folded') return <TextParts parts={[part]} />
  return <span className={classes['gap']}>{texts.testRuns.sameCharacters(part.characters)}</span>
}
