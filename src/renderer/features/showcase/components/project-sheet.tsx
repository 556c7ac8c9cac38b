import { useRef } from 'react'
import type { ReactNode } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { Facts } from '../../../components/facts.tsx'
import { MarkdownText } from '../../../components/text/markdown-text.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Section } from '../../../components/section.tsx'
import { Sheet } from '../../../components/list/sheet-pane.tsx'
import { When } from '../../../components/list/when.tsx'
import { upperFirst } from '../../../lib/format.ts'
import { useScrollKeys } from '../../../lib/keys/use-scroll-keys.ts'
import { ProjectHead } from './project-head.tsx'
import { ProjectImages } from './project-images.tsx'
import { texts } from '../showcase.texts.ts'
import classes from './project-sheet.module.css'

const { sheet } = texts

interface Props {
  project: DeskProject
  list: ReactNode
  onPlaced: () => void
}

/** The submitted project. */
export function ProjectSheet({ project, list, onPlaced }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  useScrollKeys('project', (pages) => {
    const element = scroller.current
    element?.scrollBy({ top: element.clientHeight * pages })
  })
  const { content } = project
  return (
    <Sheet ref={scroller} label={sheet.label(content.title)}>
      <ProjectHead project={project} list={list} onPlaced={onPlaced} />
      <div className={classes['columns']}>
        <div className={classes['main']}>
          <Section title={sheet.description} note={sheet.characters([...content.markdown].length)}>
            <p className={classes['tagline']}>
              <PlainText text={content.tagline} />
            </p>
            <div className={classes['markdown']}>
              <MarkdownText kind="description" source={content.markdown} what={sheet.descriptionText} />
            </div>
          </Section>
          <Section title={sheet.images} note={sheet.imageCount(content.pictures.length)}>
            <ProjectImages project={project} />
          </Section>
        </div>
        <div>
          <Section title={sheet.links} note={sheet.linkCount(content.links.length)}>
            <ProjectLinks links={content.links} />
          </Section>
          <Section title={sheet.submission}>
            <Facts facts={factsOf(project)} />
          </Section>
        </div>
      </div>
    </Sheet>
  )
}

/** Shows full URLs, since a label may be misleading. */
function ProjectLinks({ links }: Pick<DeskProject['content'], 'links'>) {
  if (links.length === 0) return <p className={classes['none']}>{sheet.none}</p>
  return (
    <ul className={classes['links']}>
      {links.map(({ label, url }, index) => (
        // Two links may be equal.
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
    { label: sheet.facts.author, value: <PlainText text={content.author} /> },
    { label: sheet.facts.submitted, value: <When at={submittedAt} /> },
    ...(decidedAt === null
      ? []
      : [
          {
            label: status === 'pending' ? sheet.facts.previousDecision : upperFirst(status),
            value: (
              <>
                <When at={decidedAt} /> {decidedBy === null ? '' : sheet.facts.by(decidedBy)}
              </>
            ),
          },
        ]),
    ...(reason === null || reason === ''
      ? []
      : [{ label: sheet.facts.reason, value: <PlainText text={reason} /> }]),
  ]
}
