import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { imagesInMarkdown } from '../../../shared/contracts/content.ts'

/** Slugs of other pages under /showcase. */
export const reservedSlugs: ReadonlySet<string> = new Set(['submit'])

/** The digests of all images in a project, in its gallery or its description. */
export function usedImages({ pictures, markdown }: ProjectContent): string[] {
  return [...new Set([...pictures.map(({ sha256 }) => sha256), ...imagesInMarkdown(markdown)])]
}
