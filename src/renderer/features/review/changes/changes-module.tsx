import { useState } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { changeWords, growthWords, largestSizes } from './module-diff.ts'
import type { ModuleDiff, NameDiff, SizeChange } from './module-diff.ts'
import classes from './changes.module.css'

interface Props {
  /** Null where nothing is known of one of the modules. */
  diff: ModuleDiff | null
  base: DeskRelease | null
  release: DeskRelease
  whole: boolean
}

const shownSections = 5
const shownNames = 12

/** Imports and exports that came and went, and where the bytes are. */
export function ChangesModule({ diff, base, release, whole }: Props) {
  if (diff === null) {
    const unknown = release.module === null ? release : base
    return (
      <p className={classes['sentence']}>
        The imports, exports and sections of {unknown?.version} are unknown: it was submitted before they were
        kept.
      </p>
    )
  }
  if (diff.sameBytes) {
    return (
      <p className={classes['sentence']}>
        The module is the one of {base?.version}, byte for byte ({plural(release.size, 'byte')}).
      </p>
    )
  }
  return (
    <div className={classes['module']}>
      <div>
        <Names title="Imports" diff={diff.imports} whole={whole} />
        <Names title="Exports" diff={diff.exports} whole={whole} unlisted={diff.unlistedExports} />
      </div>
      <Sizes diff={diff} before={base?.version ?? null} after={release.version} whole={whole} />
    </div>
  )
}

function Names({
  title,
  diff,
  whole,
  unlisted = 0,
}: {
  title: string
  diff: NameDiff
  whole: boolean
  unlisted?: number
}) {
  const [all, setAll] = useState(false)
  const { added, removed, asBefore } = diff
  const names = [
    ...added.map((name) => ({ name, kind: 'added' as const })),
    ...removed.map((name) => ({ name, kind: 'removed' as const })),
  ]
  const shown = all || whole ? names : names.slice(0, shownNames)
  return (
    <section className={classes['names']}>
      <h3>
        {title}{' '}
        {names.length > 0 && (
          <>
            <span className={classes['added']}>+{added.length}</span>{' '}
            <span className={classes['removed']}>−{removed.length}</span>
            {asBefore > 0 && ', '}
          </>
        )}
        {asBefore > 0 && <span className={classes['quiet']}>{formatCount(asBefore)} as before</span>}
        {names.length === 0 && asBefore === 0 && <span className={classes['quiet']}>none</span>}
      </h3>
      <ul>
        {shown.map(({ name, kind }) => (
          <li key={name} data-kind={kind}>
            <span aria-hidden>{kind === 'added' ? '+' : '−'}</span>{' '}
            {kind === 'added' ? (
              <ins>
                <PlainText text={name} />
              </ins>
            ) : (
              <del>
                <PlainText text={name} />
              </del>
            )}
          </li>
        ))}
      </ul>
      {shown.length < names.length && (
        <button type="button" className={classes['more']} onClick={() => setAll(true)}>
          Show {formatCount(names.length - shown.length)} more
        </button>
      )}
      {unlisted > 0 && (
        <p className={classes['quiet']}>
          {plural(unlisted, 'more export', 'more exports')}, unknown here: 200 of a module are kept.
        </p>
      )}
    </section>
  )
}

interface SizesProps {
  diff: ModuleDiff
  /** The version that is compared with; null against none. */
  before: string | null
  after: string
  whole: boolean
}

function Sizes({ diff: { sections, size }, before, after, whole }: SizesProps) {
  const { shown, others } = largestSizes(sections, whole ? sections.length : shownSections)
  const sum = (side: 'before' | 'after'): number => others.reduce((all, row) => all + (row[side] ?? 0), 0)
  return (
    <table className={classes['sizes']}>
      <thead>
        <tr>
          <th scope="col">Size by section, bytes</th>
          {before !== null && <th scope="col">{before}</th>}
          <th scope="col">{after}</th>
          {before !== null && <th scope="col">change</th>}
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
            row={{ name: plural(others.length, 'other'), before: sum('before'), after: sum('after') }}
            compared={before !== null}
          />
        )}
        <tr className={classes['total']}>
          <th scope="row">everything</th>
          {before !== null && <td>{size.before === null ? 'unknown' : formatCount(size.before)}</td>}
          <td>{formatCount(size.after)}</td>
          {before !== null && (
            <td>{size.before === null ? 'unknown' : growthWords(size.before, size.after)}</td>
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
        <td className={classes['quiet']}>{row.before === null ? 'none' : formatCount(row.before)}</td>
      )}
      <td>{row.after === null ? 'none' : formatCount(row.after)}</td>
      {compared && <td>{changeWords(row)}</td>}
    </tr>
  )
}
