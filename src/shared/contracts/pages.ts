import { z } from 'zod'
import { document, raw, redirect, route } from '../route.ts'
import { offsetSchema } from './common.ts'
import { idParamsSchema } from './desk-common.ts'
import { maxShowcaseImageBytes } from './images.ts'
import { categories, skillNameSchema, versionSchema } from './releases.ts'

/** Pictures that one project may have, and so many fields the public form has for them. */
export const projectPictures = 6
/** Links that one project may have. */
export const projectLinks = 5

const html = 'text/html; charset=utf-8'
const tag = 'Pages'
const slugParams = z.object({ slug: z.string() })
const away = ['DATABASE_UNAVAILABLE'] as const

const text = (maxBytes: number, description: string) =>
  ({ kind: 'text', maxBytes, description, optional: true }) as const

const numbered = <T>(count: number, name: string, part: (n: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index + 1}`, part(index + 1)]))

/** The fields of the public form. A browser sends every one of them, the unfilled ones empty. */
const formParts = {
  title: text(1000, 'What the project is called.'),
  tagline: text(1200, 'What it is, in one sentence.'),
  author: text(600, 'Who has made it.'),
  description: text(100_000, 'What it does, as Markdown.'),
  website: text(2000, 'Leave it empty.'),
  ...numbered(projectLinks, 'label', (n) => text(400, `What link ${n} leads to.`)),
  ...numbered(projectLinks, 'url', (n) => text(2500, `The address of link ${n}.`)),
  ...numbered(projectPictures, 'alt', (n) => text(1500, `What picture ${n} shows, in words.`)),
  ...numbered(projectPictures, 'kept', (n) =>
    text(64, `The SHA-256 of picture ${n}, where it was sent before.`),
  ),
  ...numbered(
    projectPictures,
    'picture',
    (n) =>
      ({
        kind: 'file',
        maxBytes: maxShowcaseImageBytes,
        description: `Picture ${n}: JPEG, PNG, WebP, GIF or AVIF, at most 10 MiB.`,
        mediaType: 'image/*',
        optional: true,
      }) as const,
  ),
}

/** The public pages, rendered here and in need of no script; the key is the operationId. */
export const pageRoutes = {
  showHome: route({
    method: 'GET',
    path: '/',
    tag,
    summary: 'The front page',
    access: 'public',
    reply: document(html, 'The page'),
    errors: ['TOO_MANY_REQUESTS', ...away],
  }),
  showCatalog: route({
    method: 'GET',
    path: '/skills',
    tag,
    summary: 'The catalog: the latest approved release of each skill, newest submission first, 50 a page',
    access: 'public',
    query: z.object({
      q: z
        .string()
        .max(100)
        .optional()
        .describe('Part of a name, description, category or publisher, in any letter case.'),
      category: z.enum(categories).optional(),
      offset: offsetSchema,
    }),
    reply: document(html, 'The page'),
    errors: ['TOO_MANY_REQUESTS', ...away],
  }),
  showLatestRelease: route({
    method: 'GET',
    path: '/skills/{name}',
    tag,
    summary: 'Go to the most recently submitted approved release of a name',
    access: 'public',
    params: z.object({ name: skillNameSchema }),
    reply: redirect(303, 'Where the release is'),
    errors: ['NOT_FOUND', ...away],
  }),
  showRelease: route({
    method: 'GET',
    path: '/skills/{name}/{version}',
    tag,
    summary: 'An approved release',
    access: 'public',
    params: z.object({ name: skillNameSchema, version: versionSchema }),
    reply: document(html, 'The page'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...away],
  }),
  showPublisher: route({
    method: 'GET',
    path: '/publishers/{id}',
    tag,
    summary: 'A publisher with the latest approved release of each of their skills, 50 a page',
    access: 'public',
    params: idParamsSchema,
    query: z.object({ offset: offsetSchema }),
    reply: document(html, 'The page'),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS', ...away],
  }),
  showBlog: route({
    method: 'GET',
    path: '/blog',
    tag,
    summary: 'The blog: published posts, newest first, 20 a page',
    access: 'public',
    query: z.object({
      tag: z.string().max(32).optional().describe('Only posts with this tag.'),
      offset: offsetSchema,
    }),
    reply: document(html, 'The page'),
    errors: away,
  }),
  showPost: route({
    method: 'GET',
    path: '/blog/{slug}',
    tag,
    summary: 'A published post',
    access: 'public',
    params: slugParams,
    reply: document(html, 'The page'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...away],
  }),
  showShowcase: route({
    method: 'GET',
    path: '/showcase',
    tag,
    summary: 'The showcase: approved projects, featured ones first, 24 a page',
    access: 'public',
    query: z.object({ offset: offsetSchema }),
    reply: document(html, 'The page'),
    errors: away,
  }),
  showSubmitProject: route({
    method: 'GET',
    path: '/showcase/submit',
    tag,
    summary: 'The form by which anybody submits a project',
    access: 'public',
    query: z.object({ sent: z.string().max(1).optional().describe('Set where the form was sent.') }),
    reply: document(html, 'The page'),
    errors: away,
  }),
  sendProject: route({
    method: 'POST',
    path: '/showcase/submit',
    tag,
    summary: 'Submit a project; it is public once an administrator has approved it',
    access: 'public',
    body: { kind: 'form', parts: formParts },
    reply: redirect(303, 'Received; where the form says so'),
    errors: [
      'VALIDATION_FAILED',
      'INVALID_MULTIPART',
      'BODY_TOO_LARGE',
      'BODY_INCOMPLETE',
      'INVALID_IMAGE',
      'TOO_MANY_REQUESTS',
      'STORAGE_UNAVAILABLE',
      ...away,
    ],
  }),
  showProject: route({
    method: 'GET',
    path: '/showcase/{slug}',
    tag,
    summary: 'An approved project',
    access: 'public',
    params: slugParams,
    reply: document(html, 'The page'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...away],
  }),
  getPageFile: route({
    method: 'GET',
    path: '/assets/{file}',
    tag,
    summary: 'The stylesheet, a font or the mark of the pages; the name holds a digest of the content',
    access: 'public',
    params: z.object({ file: z.string().max(100) }),
    reply: raw('*/*', 'The file'),
    errors: ['NOT_FOUND'],
  }),
}
