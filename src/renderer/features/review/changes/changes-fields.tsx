import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { LineDiff } from '../../../components/text/line-diff.tsx'
import { TextDiff } from '../../../components/text/text-diff.tsx'
import { plural } from '../../../lib/format.ts'
import { diffLines } from '../../../../shared/diff/text-diff.ts'
import type { ExampleChange, FieldChange, ManifestDiff } from './manifest-diff.ts'
import type { ModuleDiff } from './module-diff.ts'
import classes from './changes.module.css'

interface Props {
  diff: ManifestDiff
  memory: ModuleDiff['memory']
  whole: boolean
}

/** Every field of the manifest that differs, as a text; the others by their names. */
export function ChangesFields({ diff, memory, whole }: Props) {
  return (
    <dl className={classes['fields']}>
      {diff.fields.map((change) =>
        change.field === 'readme' ? (
          <Readme key="readme" change={change} whole={whole} />
        ) : (
          <Row key={change.field} label={change.field}>
            <TextDiff before={change.before} after={change.after} />
          </Row>
        ),
      )}
      {diff.examples.length > 0 && <Examples diff={diff} whole={whole} />}
      {memory !== null && (
        <Row label="memory">
          <TextDiff before={memory.before} after={memory.after} />
        </Row>
      )}
      {diff.asBefore.length > 0 && (
        <Row label="as before">
          <span className={classes['quiet']}>{diff.asBefore.join(', ')}</span>
        </Row>
      )}
    </dl>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['field']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A row that is opened by itself, or together with all others. */
function Opening({
  label,
  summary,
  whole,
  children,
}: {
  label: string
  summary: ReactNode
  whole: boolean
  children: () => ReactNode
}) {
  // What the whole diff opens, its button closes again.
  const [open, setOpen] = useState({ shown: whole, whole })
  if (open.whole !== whole) setOpen({ shown: whole, whole })
  return (
    <Row label={label}>
      {summary}{' '}
      <button
        type="button"
        className={classes['more']}
        aria-expanded={open.shown}
        aria-label={`${open.shown ? 'Hide' : 'Show'} the ${label}`}
        onClick={() => setOpen({ shown: !open.shown, whole })}
      >
        {open.shown ? 'Hide' : 'Show'}
      </button>
      {open.shown && children()}
    </Row>
  )
}

function Readme({ change, whole }: { change: FieldChange; whole: boolean }) {
  const diff = useMemo(() => diffLines(change.before, change.after), [change])
  return (
    <Opening label="readme" summary={<Lines added={diff.added} removed={diff.removed} />} whole={whole}>
      {() => <LineDiff diff={diff} label="Differences in the readme" />}
    </Opening>
  )
}

/** `+14 −3 lines` */
function Lines({ added, removed }: { added: number; removed: number }) {
  return (
    <>
      <span className={classes['added']}>+{added}</span>{' '}
      <span className={classes['removed']}>−{removed}</span> lines
    </>
  )
}

function Examples({ diff, whole }: { diff: ManifestDiff; whole: boolean }) {
  const count = (wanted: ExampleChange['kind']): number =>
    diff.examples.filter(({ kind }) => kind === wanted).length
  const words = [
    [count('added'), 'added'],
    [count('removed'), 'removed'],
    [count('changed'), 'changed'],
    [diff.examplesAsBefore, 'as before'],
  ]
    .filter(([some]) => some !== 0)
    .map((pair) => pair.join(' '))
  return (
    <Opening label="examples" summary={words.join(', ')} whole={whole}>
      {() =>
        diff.examples.map((change) => <Example key={`${change.kind} ${change.number}`} change={change} />)
      }
    </Opening>
  )
}

function Example({ change: { kind, number, before, after } }: { change: ExampleChange }) {
  return (
    <section className={classes['example']}>
      <h3>
        Example {number}, {kind}
      </h3>
      {(['input', 'output'] as const).map((side) => (
        <ExampleSide key={side} side={side} before={before?.[side] ?? ''} after={after?.[side] ?? ''} />
      ))}
    </section>
  )
}

function ExampleSide({ side, before, after }: { side: string; before: string; after: string }) {
  const diff = useMemo(() => diffLines(before, after), [before, after])
  if (before === after) {
    return (
      <p className={classes['quiet']}>
        {side}: {after === '' ? 'empty' : `as before, ${plural(after.split('\n').length, 'line')}`}
      </p>
    )
  }
  return (
    <>
      <p className={classes['quiet']}>{side}</p>
      <LineDiff diff={diff} label={`Differences in the ${side}`} />
    </>
  )
}
