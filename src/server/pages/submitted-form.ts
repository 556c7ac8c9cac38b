import { submittedProjectSchema } from '../../shared/contracts/content.ts'
import type { PlacedImage } from '../../shared/contracts/content.ts'
import { projectLinks, projectPictures } from '../../shared/contracts/pages.ts'
import type { ErrorIssue } from '../../shared/errors.ts'
import { toIssues } from '../../shared/validation.ts'
import type { ProjectSubmission } from '../domains/showcase/submit-project.service.ts'

type Texts = Readonly<Record<string, string>>

const submissionSchema = submittedProjectSchema.omit({ slug: true })

const numbersUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** What is wrong, in words for whoever fills in the form, by what stands in the contract. */
const sentences: Record<string, string> = {
  title: 'Give the project a title of at most 160 characters.',
  tagline: 'Say in one sentence of at most 200 characters what it is.',
  author: 'Give your name, in at most 100 characters.',
  markdown: 'Describe the project in 20 to 20,000 characters.',
}

/**
 * The submission that a form makes, or what is wrong with it by the form's own fields. `sent` holds the pictures that
 * are there, by their number.
 */
export function readSubmission(
  texts: Texts,
  sent: ReadonlyMap<number, string>,
): { submission: ProjectSubmission } | { issues: ErrorIssue[] } {
  const text = (name: string): string => (texts[name] ?? '').trim()
  const linkNumbers = numbersUpTo(projectLinks).filter(
    (n) => text(`label${n}`) !== '' || text(`url${n}`) !== '',
  )
  const pictureNumbers = numbersUpTo(projectPictures).filter((n) => sent.has(n))
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
    : toIssues(result.error).map((issue) => ofForm(issue, linkNumbers, pictureNumbers))
  for (const n of pictureNumbers) {
    if (text(`alt${n}`) === '')
      issues.push({ path: `alt${n}`, message: `Say in words what picture ${n} shows.` })
  }
  for (const n of numbersUpTo(projectPictures)) {
    if (sent.has(n) || text(`alt${n}`) === '') continue
    issues.push({ path: `picture${n}`, message: `Choose a file for picture ${n}, or empty what it shows.` })
  }
  if (result.success && issues.length === 0) return { submission: result.data }
  return { issues: [...new Map(issues.map((issue) => [issue.path, issue])).values()] }
}

function ofForm(
  { path, message }: ErrorIssue,
  links: readonly number[],
  pictures: readonly number[],
): ErrorIssue {
  const [field = '', index = '', part] = path.split('.')
  if (field === 'links' && part !== undefined) {
    const n = links[Number(index)] ?? 1
    return part === 'label'
      ? { path: `label${n}`, message: `Say what link ${n} leads to, in at most 60 characters.` }
      : { path: `url${n}`, message: `Link ${n} needs an address that starts with https:// or http://.` }
  }
  if (field === 'pictures' && part !== undefined) {
    const n = pictures[Number(index)] ?? 1
    return { path: `alt${n}`, message: `Say in at most 300 characters what picture ${n} shows.` }
  }
  const sentence = sentences[field]
  const name = field === 'markdown' ? 'description' : field
  return sentence === undefined
    ? { path: '', message: `${path} ${message}.` }
    : { path: name, message: sentence }
}
