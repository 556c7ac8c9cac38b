import { IconPhoto, IconStarFilled } from '@tabler/icons-react'
import { useState } from 'react'
import type { DragEvent } from 'react'
import type { ProjectRow } from '../../../../shared/contracts/desk-projects.ts'
import { ListRow } from '../../../components/list/list-row.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { formatAge, formatWhen } from '../../../lib/time/time.ts'
import { showcaseFilter } from '../showcase-filter.ts'
import type { ShowcaseFilter } from '../showcase-filter.ts'
import { texts } from '../showcase.texts.ts'
import classes from './project-row.module.css'

const { list } = texts

/** Identifies drags of projects, as opposed to anything dragged from outside the page. */
const dragType = 'application/x-skilldock-project'

interface Props {
  row: ProjectRow
  filter: ShowcaseFilter
  selected: boolean
  now: number
  /** Moves a project before or after this one; null if the list cannot be reordered. */
  onDrop: ((dropped: number, on: number, after: boolean) => void) | null
}

/** One project of the list: title, author, and how long it has waited or when it was decided. */
export function ProjectRowLink({ row, filter, selected, now, onDrop }: Props) {
  const drag = useDrag(row.id, onDrop)
  const pending = row.status === 'pending'
  const decidedAt = row.decidedAt ?? row.submittedAt
  return (
    <div className={classes['place']} {...drag}>
      <ListRow
        id={row.id}
        href={showcaseFilter.path(filter, row.id)}
        selected={selected}
        quiet={!pending}
        name={<PlainText text={row.title} />}
        when={
          pending
            ? { at: row.submittedAt, text: formatAge(now - Date.parse(row.submittedAt)) }
            : { at: decidedAt, text: formatWhen(decidedAt, now) }
        }
        by={
          // Only a row that no longer belongs to the list shows its status.
          row.status === filter.view ? (
            <>
              {list.byAuthor} <PlainText text={row.author} />
            </>
          ) : (
            <>
              <Status kind={row.status} /> {row.decidedBy === null ? '' : list.by(row.decidedBy)}
            </>
          )
        }
        badges={
          <>
            {row.featured && (
              <span className={classes['sign']} data-featured>
                <IconStarFilled size={14} aria-hidden /> {list.featured}
              </span>
            )}
            {row.imageCount > 0 && (
              <span className={classes['sign']} role="img" aria-label={list.images(row.imageCount)}>
                <IconPhoto size={14} stroke={1.75} aria-hidden /> {row.imageCount}
              </span>
            )}
          </>
        }
      />
    </div>
  )
}

/** Drag and drop of rows. The page has shortcuts that do the same. */
function useDrag(id: number, onDrop: Props['onDrop']) {
  const [over, setOver] = useState<'before' | 'after' | null>(null)
  if (onDrop === null) return {}
  const halfOf = ({ currentTarget, clientY }: DragEvent<HTMLElement>): 'before' | 'after' => {
    const { top, height } = currentTarget.getBoundingClientRect()
    return clientY < top + height / 2 ? 'before' : 'after'
  }
  return {
    draggable: true,
    'data-drop': over ?? undefined,
    onDragStart(event: DragEvent<HTMLElement>) {
      event.dataTransfer.setData(dragType, String(id))
      event.dataTransfer.effectAllowed = 'move'
    },
    onDragOver(event: DragEvent<HTMLElement>) {
      if (!event.dataTransfer.types.includes(dragType)) return
      event.preventDefault()
      setOver(halfOf(event))
    },
    onDragLeave: () => setOver(null),
    onDrop(event: DragEvent<HTMLElement>) {
      setOver(null)
      const dropped = Number(event.dataTransfer.getData(dragType))
      if (dropped <= 0) return
      event.preventDefault()
      onDrop(dropped, id, halfOf(event) === 'after')
    },
  }
}
