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

/** Every way in which what is stored about a project does not fit together, in words; empty where all is well. */
export function auditProject(project: AuditedProject, isImage: (sha256: string) => boolean): string[] {
  const problems: string[] = []
  const check = (isRight: boolean, problem: string): void => {
    if (!isRight) problems.push(problem)
  }
  check(
    (project.status === 'pending') === (project.decidedAt === null),
    `it is ${project.status}, and ${project.decidedAt === null ? 'nobody has decided' : 'somebody has decided'}`,
  )
  const content = parse(project.content)
  if (content === null) return [...problems, 'its text cannot be read']
  const { title, slug, author } = content
  check(
    title === project.title && slug === project.slug && author === project.author,
    'its title, slug or author is not that of its text',
  )
  const expected = namedImages(content).filter(isImage).toSorted()
  const noted = (JSON.parse(project.uses) as string[]).toSorted()
  check(expected.join() === noted.join(), 'the pictures noted with it are not those that it names')
  return problems
}

function parse(text: string): ProjectContent | null {
  try {
    return projectContentSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
