import { useMemo } from 'react'
import { TextParts } from '../../../components/text/text-diff.tsx'
import { formatBytes, plural } from '../../../lib/format.ts'
import { diffOutput } from '../../../../shared/sandbox/output-diff.ts'
import type { OutputPart, OutputRow } from '../../../../shared/sandbox/output-diff.ts'
import classes from './run-details.module.css'

const labels = { same: '', removed: '− declared', added: '+ real' }

/** The declared output beside the real one, from the first line that differs. */
export function OutputDiff({ declared, real }: { declared: string; real: Uint8Array }) {
  const { sentence, rows } = useMemo(() => diffOutput(declared, real), [declared, real])
  return (
    <div>
      {sentence !== null && <p className={classes['sentence']}>{sentence}</p>}
      {rows.length > 0 && (
        <div className={classes['lines']} role="group" aria-label="Declared and real output">
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
  if (row.kind === 'folded') return <p className={classes['folded']}>{plural(row.lines, 'line')} more</p>
  if (row.kind === 'rest')
    return <p className={classes['folded']}>and {formatBytes(row.bytes)} more of the real output</p>
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
  return <span className={classes['gap']}>… {plural(part.characters, 'character')} as declared …</span>
}
