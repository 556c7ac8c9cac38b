import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { TextButton } from '../../../components/form/text-button.tsx'
import { LineDiff } from '../../../components/text/line-diff.tsx'
import { TextDiff } from '../../../components/text/text-diff.tsx'
import { diffLines } from '../../../../shared/diff/text-diff.ts'
import type { ExampleChange, FieldChange, ManifestDiff } from './manifest-diff.ts'
import type { ModuleDiff } from './module-diff.ts'
import { texts } from '../review.texts.ts'
import classes from './changes.module.css'

interface Props {
  diff: ManifestDiff
  memory: ModuleDiff['memory']
  full: boolean
}

/** The text diffs of all changed manifest fields; unchanged ones by name only. */
export function ChangesFields({ diff, memory, full }: Props) {
  return (
    <dl className={classes['fields']}>
      {diff.fields.map((change) =>
        change.field === 'readme' ? (
          <Readme key="readme" change={change} full={full} />
        ) : (
          <Row key={change.field} label={change.field}>
            <TextDiff before={change.before} after={change.after} />
          </Row>
        ),
      )}
      {diff.examples.length > 0 && <Examples diff={diff} full={full} />}
      {memory !== null && (
        <Row label={texts.changes.memory}>
          <TextDiff before={memory.before} after={memory.after} />
        </Row>
      )}
      {diff.unchanged.length > 0 && (
        <Row label={texts.changes.unchanged}>
          <span data-ink="calm">{diff.unchanged.join(', ')}</span>
        </Row>
      )}
    </dl>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes['field']}>
      <dt data-text="note">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A row that expands on its own, or together with all others in the full diff. */
function ExpandableRow({
  label,
  summary,
  full,
  children,
}: {
  label: string
  summary: ReactNode
  full: boolean
  children: () => ReactNode
}) {
  // Switching the full diff on or off overrides the state of the row.
  const [open, setOpen] = useState({ shown: full, full })
  if (open.full !== full) setOpen({ shown: full, full })
  return (
    <Row label={label}>
      {summary}{' '}
      <TextButton
        inline
        aria-expanded={open.shown}
        aria-label={open.shown ? texts.changes.hideLabel(label) : texts.changes.showLabel(label)}
        onClick={() => setOpen({ shown: !open.shown, full })}
      >
        {open.shown ? texts.changes.hide : texts.changes.show}
      </TextButton>
      {open.shown && children()}
    </Row>
  )
}

function Readme({ change, full }: { change: FieldChange; full: boolean }) {
  const diff = useMemo(() => diffLines(change.before, change.after), [change])
  return (
    <ExpandableRow
      label={texts.changes.readme}
      summary={
        <>
          <Counts added={diff.added} removed={diff.removed} /> {texts.changes.lines}
        </>
      }
      full={full}
    >
      {() => <LineDiff diff={diff} label={texts.changes.diffOf(texts.changes.readme)} />}
    </ExpandableRow>
  )
}

/** `+14 −3` */
export function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className={classes['counts']}>
      <span data-ink="ok">+{added}</span> <span data-ink="bad">−{removed}</span>
    </span>
  )
}

function Examples({ diff, full }: { diff: ManifestDiff; full: boolean }) {
  const count = (of: ExampleChange['kind']): number => diff.examples.filter(({ kind }) => kind === of).length
  const words = [
    [count('added'), 'added'],
    [count('removed'), 'removed'],
    [count('changed'), 'changed'],
    [diff.unchangedExamples, texts.changes.unchanged],
  ]
    .filter(([some]) => some !== 0)
    .map((pair) => pair.join(' '))
  return (
    <ExpandableRow label={texts.changes.examples} summary={words.join(', ')} full={full}>
      {() =>
        diff.examples.map((change) => <Example key={`${change.kind} ${change.number}`} change={change} />)
      }
    </ExpandableRow>
  )
}

function Example({ change: { kind, number, before, after } }: { change: ExampleChange }) {
  return (
    <section className={classes['example']}>
      <h3>{texts.changes.example(number, kind)}</h3>
      {(['input', 'output'] as const).map((side) => (
        <ExampleSide key={side} side={side} before={before?.[side] ?? ''} after={after?.[side] ?? ''} />
      ))}
    </section>
  )
}

function ExampleSide({ side, before, after }: { side: string; before: string; after: string }) {
  const diff = useMemo(() => diffLines(before, after), [before, after])
  if (before === after) {
    return <p data-ink="calm">{texts.changes.sameSide(side, after)}</p>
  }
  return (
    <>
      <p data-ink="calm">{side}</p>
      <LineDiff diff={diff} label={texts.changes.diffOf(side)} />
    </>
  )
}
