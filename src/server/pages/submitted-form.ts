import { submittedProjectSchema } from '../../shared/contracts/content.ts'
import type { PlacedImage } from '../../shared/contracts/content.ts'
import { maxProjectLinks, maxProjectImages } from '../../shared/contracts/pages.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { toIssues } from '../../shared/validation.ts'
import type { ProjectSubmission } from '../domains/showcase/submit-project.service.ts'
import { texts } from './pages.texts.ts'

type Fields = Readonly<Record<string, string>>

const submissionSchema = submittedProjectSchema.omit({ slug: true })

const numbersUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

const { errors } = texts.submit

/** Messages for the person who fills in the form, by the field's name in the contract. */
const messages: Record<string, string> = {
  title: errors.title,
  tagline: errors.tagline,
  author: errors.author,
  markdown: errors.description,
}

/**
 * The submission in a form, or its errors by the form's own fields. `sent` holds the digests of the images, by their
 * number.
 */
export function readSubmission(
  fields: Fields,
  sent: ReadonlyMap<number, string>,
): { submission: ProjectSubmission } | { issues: ErrorIssue[] } {
  const text = (name: string): string => (fields[name] ?? '').trim()
  const linkNumbers = numbersUpTo(maxProjectLinks).filter(
    (n) => text(`label${n}`) !== '' || text(`url${n}`) !== '',
  )
  const pictureNumbers = numbersUpTo(maxProjectImages).filter((n) => sent.has(n))
  const pictures: PlacedImage[] = pictureNumbers.map((n) => ({
    sha256: sent.get(n) ?? '',
    alt: text(`alt${n}`),
  }))
  const result = submissionSchema.safeParse({
    title: text('title'),
    tagline: text('tagline'),
    author: text('author'),
    markdown: text('description'),
    links: linkNumbers.map((n) => ({ label: text(`label${n}`), url: text(`url${n}`) })),
    pictures,
  })
  const issues = result.success
    ? []
    : toIssues(result.error).map((issue) => toFormIssue(issue, linkNumbers, pictureNumbers))
  for (const n of pictureNumbers) {
    if (text(`alt${n}`) === '') issues.push({ path: `alt${n}`, message: errors.altMissing(n) })
  }
  for (const n of numbersUpTo(maxProjectImages)) {
    if (sent.has(n) || text(`alt${n}`) === '') continue
    issues.push({ path: `picture${n}`, message: errors.fileMissing(n) })
  }
  if (result.success && issues.length === 0) return { submission: result.data }
  return { issues: [...new Map(issues.map((issue) => [issue.path, issue])).values()] }
}

function toFormIssue(
  { path, message }: ErrorIssue,
  links: readonly number[],
  pictures: readonly number[],
): ErrorIssue {
  const [field = '', index = '', part] = path.split('.')
  if (field === 'links' && part !== undefined) {
    const n = links[Number(index)] ?? 1
    return part === 'label'
      ? { path: `label${n}`, message: errors.linkLabel(n) }
      : { path: `url${n}`, message: errors.linkUrl(n) }
  }
  if (field === 'pictures' && part !== undefined) {
    const n = pictures[Number(index)] ?? 1
    return { path: `alt${n}`, message: errors.altLength(n) }
  }
  const known = messages[field]
  const name = field === 'markdown' ? 'description' : field
  return known === undefined ? { path: '', message: `${path} ${message}.` } : { path: name, message: known }
}
