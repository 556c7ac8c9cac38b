import { useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatCount } from '../../../lib/format.ts'
import { Counts } from './changes-fields.tsx'
import { formatChange, formatGrowth, largestSizes } from './module-diff.ts'
import type { ModuleDiff, NameDiff, SizeChange } from './module-diff.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { texts } from '../review.texts.ts'
import classes from './changes.module.css'

interface Props {
  /** Null if the facts of either module were not recorded. */
  diff: ModuleDiff | null
  base: DeskRelease | null
  release: DeskRelease
  full: boolean
}

const shownSections = 5
const shownNames = 12

/** Added and removed imports and exports, and the sizes of the sections. */
export function ChangesModule({ diff, base, release, full }: Props) {
  if (diff === null) {
    const unknown = release.module === null ? release : base
    return <p className={classes['sentence']}>{texts.changes.notRecorded(unknown?.version)}</p>
  }
  if (diff.sameBytes) {
    return <p className={classes['sentence']}>{texts.changes.identical(base?.version, release.size)}</p>
  }
  return (
    <div className={classes['module']}>
      <div>
        <Names title={texts.changes.imports} diff={diff.imports} full={full} />
        <Names
          title={texts.changes.exports}
          diff={diff.exports}
          full={full}
          unlisted={diff.unlistedExports}
        />
      </div>
      <Sizes diff={diff} before={base?.version ?? null} after={release.version} full={full} />
    </div>
  )
}

function Names({
  title,
  diff,
  full,
  unlisted = 0,
}: {
  title: string
  diff: NameDiff
  full: boolean
  unlisted?: number
}) {
  const [all, setAll] = useState(false)
  const { added, removed, unchanged } = diff
  const names = [
    ...added.map((name) => ({ name, Mark: 'ins' as const })),
    ...removed.map((name) => ({ name, Mark: 'del' as const })),
  ]
  const shown = all || full ? names : names.slice(0, shownNames)
  return (
    <section className={classes['names']}>
      <h3>
        {title}{' '}
        {names.length > 0 && (
          <>
            <Counts added={added.length} removed={removed.length} />
            {unchanged > 0 && ', '}
          </>
        )}
        {unchanged > 0 && (
          <span data-ink="calm">
            {formatCount(unchanged)} {texts.changes.unchanged}
          </span>
        )}
        {names.length === 0 && unchanged === 0 && <span data-ink="calm">{texts.changes.none}</span>}
      </h3>
      <ul>
        {shown.map(({ name, Mark }) => (
          <li key={name} data-mono>
            <span aria-hidden data-ink={Mark === 'ins' ? 'ok' : 'bad'}>
              {Mark === 'ins' ? '+' : '−'}
            </span>{' '}
            <Mark>
              <PlainText text={name} />
            </Mark>
          </li>
        ))}
      </ul>
      {shown.length < names.length && (
        <TextButton inline onClick={() => setAll(true)}>
          {texts.changes.showMore(names.length - shown.length)}
        </TextButton>
      )}
      {unlisted > 0 && <p data-ink="calm">{texts.changes.unlistedExports(unlisted)}</p>}
    </section>
  )
}

interface SizesProps {
  diff: ModuleDiff
  /** The version to compare with, or null. */
  before: string | null
  after: string
  full: boolean
}

function Sizes({ diff: { sections, size }, before, after, full }: SizesProps) {
  const { shown, others } = largestSizes(sections, full ? sections.length : shownSections)
  const sum = (side: 'before' | 'after'): number => others.reduce((all, row) => all + (row[side] ?? 0), 0)
  return (
    <table className={classes['sizes']}>
      <thead>
        <tr>
          <th scope="col">{texts.changes.sizes}</th>
          {before !== null && <th scope="col">{before}</th>}
          <th scope="col">{after}</th>
          {before !== null && <th scope="col">{texts.changes.change}</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map((row, index) => (
          // Two sections may have the same name.
          // oxlint-disable-next-line react/no-array-index-key
          <Size key={index} row={row} compared={before !== null} />
        ))}
        {others.length > 0 && (
          <Size
            row={{
              name: texts.changes.otherSections(others.length),
              before: sum('before'),
              after: sum('after'),
            }}
            compared={before !== null}
          />
        )}
        <tr className={classes['total']}>
          <th scope="row">{texts.changes.total}</th>
          {before !== null && (
            <td>{size.before === null ? texts.changes.unknown : formatCount(size.before)}</td>
          )}
          <td>{formatCount(size.after)}</td>
          {before !== null && (
            <td>{size.before === null ? texts.changes.unknown : formatGrowth(size.before, size.after)}</td>
          )}
        </tr>
      </tbody>
    </table>
  )
}

function Size({ row, compared }: { row: SizeChange; compared: boolean }) {
  return (
    <tr>
      <th scope="row">
        <PlainText text={row.name} />
      </th>
      {compared && (
        <td data-ink="calm">{row.before === null ? texts.changes.none : formatCount(row.before)}</td>
      )}
      <td>{row.after === null ? texts.changes.none : formatCount(row.after)}</td>
      {compared && <td>{formatChange(row)}</td>}
    </tr>
  )
}
