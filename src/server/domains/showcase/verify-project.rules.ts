import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { projectContentSchema } from '../../../shared/contracts/content.ts'
import type { ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { usedImages } from './projects.rules.ts'

/** A project with everything stored about it. */
export interface ProjectToVerify {
  id: number
  title: string
  slug: string
  author: string
  /** JSON. */
  content: string
  status: ProjectStatus
  decidedAt: string | null
  /** JSON array of digests. */
  uses: string
}

interface ProjectProblem {
  problem: string
  /** What to derive again; null if only a backup can fix the problem. */
  derived: { part: 'row' } | { part: 'uses'; images: readonly string[] } | null
}

/** Describes every inconsistency in what is stored about a project. */
export function verifyProject(
  project: ProjectToVerify,
  isImage: (sha256: string) => boolean,
): ProjectProblem[] {
  const problems: ProjectProblem[] = []
  const check = (isConsistent: boolean, problem: string, derived: ProjectProblem['derived'] = null): void => {
    if (!isConsistent) problems.push({ problem, derived })
  }
  check(
    (project.status === 'pending') === (project.decidedAt === null),
    `it is ${project.status}, but has ${project.decidedAt === null ? 'no decision' : 'a decision'}`,
  )
  const content = parse(project.content)
  if (content === null) return [...problems, { problem: 'its content cannot be read', derived: null }]
  const { title, slug, author } = content
  check(
    title === project.title && slug === project.slug && author === project.author,
    'its title, slug or author differs from its content',
    { part: 'row' },
  )
  const images = usedImages(content).filter(isImage).toSorted()
  const recorded = (JSON.parse(project.uses) as string[]).toSorted()
  check(images.join() === recorded.join(), 'the images recorded for it are not the ones it uses', {
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
