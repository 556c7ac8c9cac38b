import { IconPackageOff } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Notice } from '../../../components/notice.tsx'
import { useActions } from '../../../lib/actions.ts'
import type { Action } from '../../../lib/actions.ts'
import { CanDo } from './can-do.tsx'
import { Documents } from './documents.tsx'
import { ReleaseHead } from './release-head.tsx'
import { ReleaseHistory } from './release-history.tsx'
import classes from './release-sheet.module.css'

const troubles = {
  missing: [
    'The package is missing',
    'The file of this digest is not in the data folder. Put it back from a backup; it cannot be inspected or downloaded until then.',
  ],
  changed: [
    'The package is not the one that was submitted',
    'The stored file does not have the digest below any more. It is given to nobody. Put the right file back from a backup.',
  ],
  unavailable: [
    'The package cannot be read just now',
    'The folder of the packages does not answer. What the release says of itself can be read.',
  ],
} as const

/** Everything that is known of a release, to be read above the dock. */
export function ReleaseSheet({ release, list }: { release: DeskRelease; list: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState('can-do')
  const sections = [
    { id: 'can-do', label: 'Can do', count: release.module?.imports.length },
    { id: 'documents', label: 'Documents', count: undefined },
    { id: 'history', label: 'History', count: release.history.length + release.siblings.length },
  ]
  const jump = (id: string): void => {
    setCurrent(id)
    const section = scroller.current?.querySelector<HTMLElement>(`#${id}`)
    section?.scrollIntoView({ block: 'start' })
    section?.focus({ preventScroll: true })
  }
  const scroll = (pages: number): void => {
    const element = scroller.current
    element?.scrollBy({ top: element.clientHeight * pages })
  }
  useActions([
    ...sections.map(({ id, label }, index): Action => ({
      id: `section-${id}`,
      label: `jump to ${label}`,
      group: 'Move',
      keys: [String(index + 1)],
      run: () => jump(id),
    })),
    {
      id: 'page',
      label: 'page down in the release',
      group: 'Move',
      keys: [' '],
      keysOnly: true,
      run: () => scroll(0.9),
    },
    {
      id: 'scroll-down',
      label: 'scroll the release while writing',
      group: 'Move',
      keys: ['alt+ArrowDown'],
      inFields: true,
      keysOnly: true,
      run: () => scroll(0.25),
    },
    {
      id: 'scroll-up',
      label: 'and back',
      group: 'Move',
      keys: ['alt+ArrowUp'],
      inFields: true,
      keysOnly: true,
      run: () => scroll(-0.25),
    },
  ])
  const trouble = release.package === 'intact' ? null : troubles[release.package]
  return (
    <div
      ref={scroller}
      className={classes['sheet']}
      data-region="sheet"
      tabIndex={0}
      role="region"
      aria-label={`Release ${release.name} ${release.version}`}
    >
      <ReleaseHead release={release} list={list} />
      <nav className={classes['strip']} aria-label="Sections of the release">
        {sections.map(({ id, label, count }) => (
          <button
            key={id}
            type="button"
            data-ring="inside"
            aria-current={current === id ? 'true' : undefined}
            onClick={() => jump(id)}
          >
            {label}
            {count !== undefined && <span>{count}</span>}
          </button>
        ))}
        <p>
          jump <kbd>1</kbd> to <kbd>{sections.length}</kbd>
        </p>
      </nav>
      {trouble !== null && (
        <div className={classes['trouble']}>
          <Notice tone="bad" icon={IconPackageOff} title={trouble[0]} role="alert">
            <p>{trouble[1]}</p>
          </Notice>
        </div>
      )}
      <div className={classes['columns']}>
        <div className={classes['can']}>
          <CanDo module={release.module} size={release.size} />
        </div>
        <div className={classes['documents']}>
          <Documents manifest={release.manifest} />
        </div>
        <div className={classes['history']}>
          <ReleaseHistory release={release} />
        </div>
      </div>
    </div>
  )
}
