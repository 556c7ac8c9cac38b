import type { documentRoutes } from '../../../shared/contracts/documents.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Documents } from './documents.service.ts'
import type { Feed } from './feed.service.ts'
import type { Sitemap } from './sitemap.service.ts'

/** Section 4.2, and the feed and sitemap of section 4.3. */
export function documentHandlers(
  documents: Documents,
  feed: Feed,
  sitemap: Sitemap,
): Handlers<typeof documentRoutes> {
  return {
    getPostDocument: ({ params }) => documents.getPostDocument(params.slug),
    getPostDocumentAlias: ({ params }) => documents.getPostDocument(params.slug),
    getProjectDocument: ({ params }) => documents.getProjectDocument(params.slug),
    getCatalogDocument: ({ query }) => documents.getCatalogDocument(query.offset),
    getReleaseDocument: ({ params }) => documents.getReleaseDocument(params.name, params.version),
    getFeed: () => feed.getFeed(),
    getSitemap: () => sitemap.getSitemap(),
    getSitemapPart: ({ params }) => sitemap.getSitemapPart(params.part),
    getBlogSitemap: () => sitemap.getPath(),
    getRobots: () => documents.getRobots(),
    getSecurityContact: () => documents.getSecurityContact(),
    getAgentSkills: () => documents.getAgentSkills(),
    getAgentSkill: ({ params }) => documents.getAgentSkill(params.name),
    getLlms: () => documents.getLlms(),
  }
}
