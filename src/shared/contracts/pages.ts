import { z } from 'zod'
import { document, paged, raw, redirect, route, section } from '../route.ts'
import { offsetSchema } from './common.ts'
import { idParamsSchema } from './desk-common.ts'
import { maxShowcaseImageBytes } from './images.ts'
import { nameParams, pageSize, releaseParams } from './releases.ts'
import { categories } from './manifest.ts'

/** The maximum number of images per project; the public form has one set of fields for each. */
export const maxProjectImages = 6
/** The maximum number of links per project. */
export const maxProjectLinks = 5
/** Posts per page of the blog. */
export const postsPerPage = 20
/** Projects per page of the showcase. */
export const projectsPerPage = 24

const html = 'text/html; charset=utf-8'
const slugParams = z.object({ slug: z.string() })
const databaseErrors = ['DATABASE_UNAVAILABLE'] as const

const text = (maxBytes: number, description: string) =>
  ({ kind: 'text', maxBytes, description, optional: true }) as const

const numbered = <T>(count: number, name: string, part: (n: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index + 1}`, part(index + 1)]))

/** The fields of the public form. Browsers send all of them, even the empty ones. */
const formParts = {
  title: text(1000, 'Project name.'),
  tagline: text(1200, 'What the project is, in one sentence.'),
  author: text(600, 'The author of the project.'),
  description: text(100_000, 'What the project does, in Markdown.'),
  website: text(2000, 'Leave this field empty; it detects spam.'),
  ...numbered(maxProjectLinks, 'label', (n) => text(400, `Label of link ${n}.`)),
  ...numbered(maxProjectLinks, 'url', (n) => text(2500, `URL of link ${n}.`)),
  ...numbered(maxProjectImages, 'alt', (n) => text(1500, `Alt text of image ${n}.`)),
  ...numbered(maxProjectImages, 'kept', (n) =>
    text(64, `SHA-256 of image ${n} if it has already been uploaded.`),
  ),
  ...numbered(
    maxProjectImages,
    'picture',
    (n) =>
      ({
        kind: 'file',
        maxBytes: maxShowcaseImageBytes,
        description: `Image ${n}: JPEG, PNG, WebP, GIF or AVIF, at most 10 MiB.`,
        mediaType: 'image/*',
        optional: true,
      }) as const,
  ),
}

/** The public pages, rendered on the server and usable without scripts. Keys are operationIds. */
export const pageRoutes = section('Pages', {
  showHome: route('GET /', 'public', {
    summary: 'Home page',
    reply: document(html, 'The page'),
    errors: ['TOO_MANY_REQUESTS', ...databaseErrors],
  }),
  showCatalog: route('GET /skills', 'public', {
    summary: 'Catalog: the latest approved release of each skill, newest submission first, 50 per page',
    rateLimit: 'search',
    query: z.object({
      q: z
        .string()
        .max(100)
        .optional()
        .describe('Part of a name, description, category or publisher, case-insensitive.'),
      category: z.enum(categories).optional(),
      offset: offsetSchema,
    }),
    reply: paged(document(html, 'The page'), pageSize),
    errors: ['TOO_MANY_REQUESTS', ...databaseErrors],
  }),
  showLatestRelease: route('GET /skills/{name}', 'public', {
    summary: 'Redirect to the most recently submitted approved release of a skill',
    params: nameParams,
    reply: redirect(303, 'The page of the release'),
    errors: ['NOT_FOUND', ...databaseErrors],
  }),
  showRelease: route('GET /skills/{name}/{version}', 'public', {
    summary: 'Approved release',
    params: releaseParams,
    reply: document(html, 'The page'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...databaseErrors],
  }),
  showPublisher: route('GET /publishers/{id}', 'public', {
    summary: 'Publisher, with the latest approved release of each of their skills, 50 per page',
    params: idParamsSchema,
    query: z.object({ offset: offsetSchema }),
    reply: paged(document(html, 'The page'), pageSize),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS', ...databaseErrors],
  }),
  showBlog: route('GET /blog', 'public', {
    summary: `Blog: published posts, newest first, ${postsPerPage} per page`,
    query: z.object({
      tag: z.string().max(32).optional().describe('Only posts with this tag.'),
      offset: offsetSchema,
    }),
    reply: paged(document(html, 'The page'), postsPerPage),
    errors: databaseErrors,
  }),
  showPost: route('GET /blog/{slug}', 'public', {
    summary: 'Published post',
    params: slugParams,
    reply: document(html, 'The page'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...databaseErrors],
  }),
  showShowcase: route('GET /showcase', 'public', {
    summary: `Showcase: approved projects, featured ones first, ${projectsPerPage} per page`,
    query: z.object({ offset: offsetSchema }),
    reply: paged(document(html, 'The page'), projectsPerPage),
    errors: databaseErrors,
  }),
  showSubmitProject: route('GET /showcase/submit', 'public', {
    summary: 'Form for submitting a showcase project',
    query: z.object({
      sent: z.string().max(1).optional().describe('Set after the form has been submitted.'),
    }),
    reply: document(html, 'The page'),
    errors: databaseErrors,
  }),
  sendProject: route('POST /showcase/submit', 'public', {
    summary: 'Submit a showcase project; it becomes public when an administrator approves it',
    rateLimit: 'submission',
    body: { kind: 'form', parts: formParts },
    reply: redirect(303, 'Submitted; redirects to the confirmation'),
    errors: [
      'VALIDATION_FAILED',
      'INVALID_MULTIPART',
      'BODY_TOO_LARGE',
      'BODY_INCOMPLETE',
      'INVALID_IMAGE',
      'TOO_MANY_REQUESTS',
      'STORAGE_UNAVAILABLE',
      ...databaseErrors,
    ],
  }),
  showProject: route('GET /showcase/{slug}', 'public', {
    summary: 'Approved showcase project',
    params: slugParams,
    reply: document(html, 'The page'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...databaseErrors],
  }),
  getPageFile: route('GET /assets/{file}', 'public', {
    summary: 'Get a stylesheet, font or logo of the public pages; its name contains a digest of the content',
    params: z.object({ file: z.string().max(100) }),
    reply: raw('*/*', 'The file'),
    errors: ['NOT_FOUND'],
  }),
})
