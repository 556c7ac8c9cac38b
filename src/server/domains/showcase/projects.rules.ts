import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { imagesInMarkdown } from '../../../shared/contracts/content.ts'

/** Pages beside those of the projects: /showcase/submit. */
export const reservedSlugs: ReadonlySet<string> = new Set(['submit'])

/** Every picture that a project names, in its gallery or in its text. */
export function namedImages({ pictures, markdown }: ProjectContent): string[] {
  return [...new Set([...pictures.map(({ sha256 }) => sha256), ...imagesInMarkdown(markdown)])]
}
