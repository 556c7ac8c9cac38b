import { z } from 'zod'
import { document, redirect, route } from '../route.ts'
import { pageQuerySchema } from './common.ts'

const markdown = 'text/markdown; charset=utf-8'
const xml = 'application/xml; charset=utf-8'
const plain = 'text/plain; charset=utf-8'
// Any shape: what is no slug is not found (rulings, "Slugs").
const slugParams = z.object({ slug: z.string() })
const away = ['DATABASE_UNAVAILABLE'] as const

/** Sections 4.2 and 4.3: what is read by programs. */
export const documentRoutes = {
  getPostDocument: route({
    method: 'GET',
    path: '/api/blog/{slug}.md',
    tag: 'Documents',
    summary: 'Get a published post as Markdown',
    access: 'public',
    params: slugParams,
    reply: document(markdown, 'The post'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...away],
  }),
  getPostDocumentAlias: route({
    method: 'GET',
    path: '/docs-markdown/blog/{slug}.md',
    tag: 'Documents',
    summary: 'Get a published post as Markdown, as at /api/blog/{slug}.md',
    access: 'public',
    params: slugParams,
    reply: document(markdown, 'The post'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...away],
  }),
  getProjectDocument: route({
    method: 'GET',
    path: '/docs-markdown/showcase/{slug}.md',
    tag: 'Documents',
    summary: 'Get an approved showcase project as Markdown',
    access: 'public',
    params: slugParams,
    reply: document(markdown, 'The project'),
    errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...away],
  }),
  getCatalogDocument: route({
    method: 'GET',
    path: '/docs-markdown/site/marketplace.md',
    tag: 'Documents',
    summary: 'Get a page of the approved catalog as Markdown, 50 releases with links to their documents',
    access: 'public',
    query: pageQuerySchema,
    reply: document(markdown, 'The page'),
    errors: away,
  }),
  getReleaseDocument: route({
    method: 'GET',
    path: '/docs-markdown/marketplace/{name}/{version}.md',
    tag: 'Documents',
    summary: 'Get the documentation of an approved release as Markdown',
    access: 'public',
    params: z.object({ name: z.string(), version: z.string() }),
    reply: document(markdown, 'The documentation'),
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...away],
  }),
  getFeed: route({
    method: 'GET',
    path: '/api/blog/feed.xml',
    tag: 'Discovery',
    summary: 'Get the newest 50 published posts as an Atom 1.0 feed',
    access: 'public',
    reply: document('application/atom+xml; charset=utf-8', 'The feed'),
    errors: ['MARKDOWN_UNAVAILABLE', ...away],
  }),
  getSitemap: route({
    method: 'GET',
    path: '/api/sitemap.xml',
    tag: 'Discovery',
    summary: 'Get the sitemap of every public page; past 50,000 addresses an index of its parts',
    access: 'public',
    reply: document(xml, 'The sitemap'),
    errors: away,
  }),
  getSitemapPart: route({
    method: 'GET',
    path: '/api/sitemap/{part}.xml',
    tag: 'Discovery',
    summary: 'Get a part of a sitemap that has more than one',
    access: 'public',
    params: z.object({ part: z.string() }),
    reply: document(xml, 'The part'),
    errors: ['NOT_FOUND', ...away],
  }),
  getBlogSitemap: route({
    method: 'GET',
    path: '/api/blog/sitemap.xml',
    tag: 'Discovery',
    summary: 'Go to /api/sitemap.xml, which is to be used instead',
    access: 'public',
    deprecated: true,
    reply: redirect(308, 'The sitemap is at /api/sitemap.xml'),
    errors: [],
  }),
  getRobots: route({
    method: 'GET',
    path: '/robots.txt',
    tag: 'Discovery',
    summary: 'Tell crawlers what they may read and where the sitemap is',
    access: 'public',
    reply: document(plain, 'The rules'),
    errors: [],
  }),
  getLlms: route({
    method: 'GET',
    path: '/llms.txt',
    tag: 'Discovery',
    summary: 'Tell language models where the Markdown documents are',
    access: 'public',
    reply: document(plain, 'The guide'),
    errors: away,
  }),
}
