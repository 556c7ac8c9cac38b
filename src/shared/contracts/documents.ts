import { z } from 'zod'
import { document, paged, redirect, route, section } from '../route.ts'
import { pageQuerySchema } from './common.ts'
import { nameParams, pageSize } from './releases.ts'

const markdown = 'text/markdown; charset=utf-8'
const xml = 'application/xml; charset=utf-8'
const plain = 'text/plain; charset=utf-8'
// Any string: a malformed slug is answered with 404, not 400 (rulings, "Slugs").
const slugParams = z.object({ slug: z.string() })
const databaseErrors = ['DATABASE_UNAVAILABLE'] as const

/** The index for agents lists the skills of this many approved releases. */
export const agentSkillReleases = 1000

/** Sections 4.2 and 4.3: documents for programs. */
export const documentRoutes = {
  ...section('Documents', {
    getPostDocument: route('GET /api/blog/{slug}.md', 'public', {
      summary: 'Get a published post as Markdown',
      params: slugParams,
      reply: document(markdown, 'The post'),
      errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...databaseErrors],
    }),
    getPostDocumentAlias: route('GET /docs-markdown/blog/{slug}.md', 'public', {
      summary: 'Get a published post as Markdown (alias of /api/blog/{slug}.md)',
      params: slugParams,
      reply: document(markdown, 'The post'),
      errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...databaseErrors],
    }),
    getProjectDocument: route('GET /docs-markdown/showcase/{slug}.md', 'public', {
      summary: 'Get an approved showcase project as Markdown',
      params: slugParams,
      reply: document(markdown, 'The project'),
      errors: ['NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...databaseErrors],
    }),
    getCatalogDocument: route('GET /docs-markdown/site/marketplace.md', 'public', {
      summary:
        'Get the approved catalog as Markdown, with links to the release documents, 50 releases per page',
      query: pageQuerySchema,
      reply: paged(document(markdown, 'The page'), pageSize),
      errors: databaseErrors,
    }),
    getReleaseDocument: route('GET /docs-markdown/marketplace/{name}/{version}.md', 'public', {
      summary: 'Get the documentation of an approved release as Markdown',
      params: z.object({ name: z.string(), version: z.string() }),
      reply: document(markdown, 'The documentation'),
      errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'MARKDOWN_UNAVAILABLE', ...databaseErrors],
    }),
  }),
  ...section('Discovery', {
    getFeed: route('GET /api/blog/feed.xml', 'public', {
      summary: 'Get the newest published posts as an Atom 1.0 feed',
      reply: document('application/atom+xml; charset=utf-8', 'The feed'),
      errors: ['MARKDOWN_UNAVAILABLE', ...databaseErrors],
    }),
    getSitemap: route('GET /api/sitemap.xml', 'public', {
      summary: 'Get the sitemap of the public site, or the index of its parts if it is large',
      reply: document(xml, 'The sitemap'),
      errors: databaseErrors,
    }),
    getSitemapPart: route('GET /api/sitemap/{part}.xml', 'public', {
      summary: 'Get one part of a sitemap that is split into parts',
      params: z.object({ part: z.string() }),
      reply: document(xml, 'The part'),
      errors: ['NOT_FOUND', ...databaseErrors],
    }),
    getBlogSitemap: route('GET /api/blog/sitemap.xml', 'public', {
      summary: 'Redirect to /api/sitemap.xml; use that instead',
      deprecated: true,
      reply: redirect(308, 'The sitemap is at /api/sitemap.xml'),
    }),
    getRobots: route('GET /robots.txt', 'public', {
      summary: 'Get the rules for crawlers and the address of the sitemap',
      reply: document(plain, 'The rules'),
    }),
    getSecurityContact: route('GET /.well-known/security.txt', 'public', {
      summary:
        'Get where to report vulnerabilities of this registry (RFC 9116), if its administrator has set it',
      reply: document(plain, 'The contact'),
      errors: ['NOT_FOUND'],
    }),
    getAgentSkills: route('GET /.well-known/agent-skills/index.json', 'public', {
      summary: `List the skills among the newest ${agentSkillReleases} approved releases for agents (Agent Skills Discovery 0.2.0)`,
      reply: document('application/json', 'The index, with the SHA-256 of each document'),
      errors: databaseErrors,
    }),
    getAgentSkill: route('GET /.well-known/agent-skills/{name}/SKILL.md', 'public', {
      summary: 'Get how an agent installs and runs the latest approved release of a skill',
      params: nameParams,
      reply: document(markdown, 'Instructions of the registry, with quoted texts of the publisher'),
      errors: ['NOT_FOUND', ...databaseErrors],
    }),
    getLlms: route('GET /llms.txt', 'public', {
      summary: 'Get the guide to the Markdown documents for language models',
      reply: document(plain, 'The guide'),
      errors: databaseErrors,
    }),
  }),
}
