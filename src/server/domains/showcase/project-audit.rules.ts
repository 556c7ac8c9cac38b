import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { projectContentSchema } from '../../../shared/contracts/content.ts'
import type { ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { namedImages } from './projects.rules.ts'

/** A project with all that is stored about it. */
export interface AuditedProject {
  id: number
  title: string
  slug: string
  author: string
  /** JSON. */
  content: string
  status: ProjectStatus
  decidedAt: string | null
  /** Digests, as a JSON list. */
  uses: string
}

export interface ProjectProblem {
  problem: string
  /** What has to be derived from the text again; null where only a backup can help. */
  derived: { part: 'row' } | { part: 'uses'; images: readonly string[] } | null
}

/** Every way in which what is stored about a project does not fit together, in words; empty where all is well. */
export function auditProject(
  project: AuditedProject,
  isImage: (sha256: string) => boolean,
): ProjectProblem[] {
  const problems: ProjectProblem[] = []
  const check = (isRight: boolean, problem: string, derived: ProjectProblem['derived'] = null): void => {
    if (!isRight) problems.push({ problem, derived })
  }
  check(
    (project.status === 'pending') === (project.decidedAt === null),
    `it is ${project.status}, and ${project.decidedAt === null ? 'nobody has decided' : 'somebody has decided'}`,
  )
  const content = parse(project.content)
  if (content === null) return [...problems, { problem: 'its text cannot be read', derived: null }]
  const { title, slug, author } = content
  check(
    title === project.title && slug === project.slug && author === project.author,
    'its title, slug or author is not that of its text',
    { part: 'row' },
  )
  const images = namedImages(content).filter(isImage).toSorted()
  const noted = (JSON.parse(project.uses) as string[]).toSorted()
  check(images.join() === noted.join(), 'the images recorded for it are not the ones it uses', {
    part: 'uses',
    images,
  })
  return problems
}

function parse(text: string): ProjectContent | null {
  try {
    return projectContentSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
