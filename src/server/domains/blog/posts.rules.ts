import type { PostContent } from '../../../shared/contracts/content.ts'
import { imagesInMarkdown } from '../../../shared/contracts/content.ts'
import type { PostState } from '../../../shared/contracts/desk-posts.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import { isBlank } from '../../../shared/text.ts'
import { texts } from './blog.texts.ts'

export const emptyPost: PostContent = {
  title: '',
  slug: '',
  summary: '',
  markdown: '',
  tags: [],
  cover: null,
}

/** Both times are ISO 8601 in UTC; `publishAt` is null for a draft. */
export function stateOf(publishAt: string | null, now: string): PostState {
  if (publishAt === null) return 'draft'
  return publishAt <= now ? 'published' : 'scheduled'
}

/** The digests of all images in a post, including the cover. */
export function usedImages({ cover, markdown }: PostContent): string[] {
  return [...new Set([...(cover === null ? [] : [cover.sha256]), ...imagesInMarkdown(markdown)])]
}

/** The problems that prevent a post from being published. */
export function publishIssues(content: PostContent, isImage: (sha256: string) => boolean): ErrorIssue[] {
  const issues: ErrorIssue[] = []
  if (isBlank(content.title)) issues.push({ path: 'title', message: texts.issues.empty })
  if (content.slug === '') issues.push({ path: 'slug', message: texts.issues.empty })
  if (isBlank(content.markdown)) issues.push({ path: 'markdown', message: texts.issues.empty })
  if (/!\[\s*\]\(\s*<?image:/.test(content.markdown)) {
    issues.push({ path: 'markdown', message: texts.issues.noAltText })
  }
  if (content.cover !== null && isBlank(content.cover.alt))
    issues.push({ path: 'cover.alt', message: texts.issues.empty })
  for (const sha256 of usedImages(content)) {
    if (isImage(sha256)) continue
    const path = content.cover?.sha256 === sha256 ? 'cover' : 'markdown'
    issues.push({ path, message: texts.issues.unknownImage(sha256.slice(0, 8)) })
  }
  return issues
}

/** The part of an ISO 8601 time down to the hour. Consecutive autosaves by one person within it become one version. */
export function hourOf(instant: string): string {
  return instant.slice(0, 'YYYY-MM-DDTHH'.length)
}
