import { useRef } from 'react'
import type { ReactNode } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { Facts } from '../../../components/facts.tsx'
import { MarkdownText } from '../../../components/text/markdown-text.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Section } from '../../../components/section.tsx'
import { Sheet } from '../../../components/list/sheet-pane.tsx'
import { When } from '../../../components/list/when.tsx'
import { plural } from '../../../lib/format.ts'
import { useScrollKeys } from '../../../lib/keys/use-scroll-keys.ts'
import { ProjectHead } from './project-head.tsx'
import { ProjectPictures } from './project-pictures.tsx'
import classes from './project-sheet.module.css'

interface Props {
  project: DeskProject
  list: ReactNode
  onPlaced: () => void
}

/** Everything that was submitted, to be read above the dock. */
export function ProjectSheet({ project, list, onPlaced }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  useScrollKeys('project', (pages) => {
    const element = scroller.current
    element?.scrollBy({ top: element.clientHeight * pages })
  })
  const { content } = project
  return (
    <Sheet ref={scroller} label={`Project ${content.title}`}>
      <ProjectHead project={project} list={list} onPlaced={onPlaced} />
      <div className={classes['columns']}>
        <div className={classes['main']}>
          <Section title="Description" note={plural([...content.markdown].length, 'character')}>
            <p className={classes['tagline']}>
              <PlainText text={content.tagline} />
            </p>
            <div className={classes['markdown']}>
              <MarkdownText kind="description" source={content.markdown} what="the description" />
            </div>
          </Section>
          <Section title="Pictures" note={plural(content.pictures.length, 'picture')}>
            <ProjectPictures project={project} />
          </Section>
        </div>
        <div>
          <Section title="Links" note={plural(content.links.length, 'link')}>
            <ProjectLinks links={content.links} />
          </Section>
          <Section title="Submission">
            <Facts facts={factsOf(project)} />
          </Section>
        </div>
      </div>
    </Sheet>
  )
}

/** Whole addresses, for what a label says may be something else. */
function ProjectLinks({ links }: Pick<DeskProject['content'], 'links'>) {
  if (links.length === 0) return <p className={classes['none']}>None.</p>
  return (
    <ul className={classes['links']}>
      {links.map(({ label, url }, index) => (
        // Two links may be the same.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={`${index} ${url}`}>
          <span>
            <PlainText text={label} />
          </span>
          <a href={url} target="_blank" rel="noopener noreferrer nofollow">
            <PlainText text={url} />
          </a>
        </li>
      ))}
    </ul>
  )
}

function factsOf({ content, submittedAt, decidedAt, decidedBy, reason, status }: DeskProject) {
  return [
    { label: 'author', value: <PlainText text={content.author} /> },
    { label: 'submitted', value: <When at={submittedAt} /> },
    ...(decidedAt === null
      ? []
      : [
          {
            label: status === 'pending' ? 'decided before' : status,
            value: (
              <>
                <When at={decidedAt} /> {decidedBy === null ? '' : `by ${decidedBy}`}
              </>
            ),
          },
        ]),
    ...(reason === null || reason === '' ? [] : [{ label: 'reason', value: <PlainText text={reason} /> }]),
  ]
}
