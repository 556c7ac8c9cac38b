import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { agentSkillReleases } from '../../../shared/contracts/documents.ts'
import type { Image } from '../../../shared/contracts/images.ts'
import { imageFileName, largestRendition } from '../../../shared/contracts/images.ts'
import { pageSize, registryVersionSchema } from '../../../shared/contracts/releases.ts'
import { skillNameSchema, versionSchema } from '../../../shared/contracts/manifest.ts'
import type { RegistryVersion } from '../../../shared/contracts/releases.ts'
import { ListPage, nextQuery } from '../../../shared/list-page.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import { summarize, toIssues } from '../../../shared/validation.ts'
import type { DocumentContext } from '../../content/documents.ts'
import type { MarkdownReader } from '../../content/markdown-reader.ts'
import { createPageStore } from '../../content/page-store.ts'
import type { Stored } from '../../content/page-store.ts'
import type { PublishedPost } from '../blog/published-posts.service.ts'
import type { CatalogService } from '../releases/catalog/catalog.service.ts'
import type { ReviewStatements } from '../releases/decisions/review-statement.service.ts'
import type { ReleaseStates } from '../releases/maintenance/release-states.service.ts'
import type { PublicOwners } from '../releases/owners/owners.service.ts'
import type { ApprovedProject } from '../showcase/approved-projects.service.ts'
import type { PublicState } from './public-state.service.ts'
import { texts } from './discovery.texts.ts'

interface DocumentParts {
  posts: {
    findPublished(slug: string): PublishedPost | null
    listNewest(limit: number): PublishedPost[]
  }
  projects: {
    findApproved(slug: string): ApprovedProject | null
    listApproved(offset: number): { items: ApprovedProject[] }
  }
  catalog: Pick<CatalogService, 'listApproved' | 'getRelease' | 'getLatestRelease'>
  statements: Pick<ReviewStatements, 'getReview'>
  owners: PublicOwners
  states: Pick<ReleaseStates, 'findDeprecation'>
  images: { findImage(sha256: string): Image | null }
  markdown: Pick<MarkdownReader, 'rewrite'>
  state: Pick<PublicState, 'read'>
  /** The registry's public URL. */
  publicUrl(): string
  /** The current settings. */
  config: Readonly<{ securityContact: string | null }>
}

/** How long a security contact is valid; RFC 9116, section 2.5.5, recommends less than a year. */
const contactMs = 180 * 86_400_000

/** The Markdown documents of section 4.2, robots.txt, security.txt and llms.txt. They are cached until any public data changes. */
export function createDocuments(parts: DocumentParts) {
  const { posts, projects, catalog, statements, owners, states, images, markdown, state, publicUrl, config } =
    parts
  const store = createPageStore()
  const cached = <T extends Stored>(key: string, make: () => Promise<T>): Promise<T> =>
    store.get(state.read(), key, make)
  // Imported on first use to keep the start fast, and only once: the module loader takes longer than writing a document.
  let loaded: Promise<typeof import('../../content/documents.ts')> | undefined
  const load = () => (loaded ??= import('../../content/documents.ts'))
  const context = (): DocumentContext => {
    const base = publicUrl()
    return {
      publicUrl: base,
      rewrite: markdown.rewrite,
      imageUrl(sha256) {
        const largest = largestRendition(images.findImage(sha256))
        return largest === undefined ? null : `${base}/media/${imageFileName(largest.sha256, largest.type)}`
      },
    }
  }
  const listReleases = (offset: number): ListPage<RegistryVersion[]> => {
    const { body, hasMore } = catalog.listApproved(offset)
    const { items } = JSON.parse(body.toString()) as { items: unknown[] }
    // A damaged release is left out.
    return new ListPage(
      items.flatMap((item) => registryVersionSchema.safeParse(item).data ?? []),
      hasMore,
    )
  }
  const makeAgentSkill = async (release: RegistryVersion): Promise<Buffer> => {
    const deprecation = states.findDeprecation(release.name, release.version)
    return Buffer.from((await load()).agentSkillDocument(release, deprecation, publicUrl()))
  }
  return {
    /** A page of the catalog, newest submission first. */
    listReleases,

    /** Throws NOT_FOUND if there is no published post with this slug. */
    getPostDocument: (slug: string): Promise<Buffer> =>
      cached(`post ${slug}`, async () => {
        const post = posts.findPublished(slug)
        if (post === null) throw new DomainError('NOT_FOUND', texts.noPost)
        return Buffer.from(await (await load()).postDocument(post, context()))
      }),

    /** Throws NOT_FOUND if there is no approved project with this slug. */
    getProjectDocument: (slug: string): Promise<Buffer> =>
      cached(`project ${slug}`, async () => {
        const project = projects.findApproved(slug)
        if (project === null) throw new DomainError('NOT_FOUND', texts.noProject)
        return Buffer.from(await (await load()).projectDocument(project, context()))
      }),

    getCatalogDocument: (offset: number): Promise<ListPage<Buffer>> =>
      cached(`catalog ${offset}`, async () => {
        const { body: releases, hasMore } = listReleases(offset)
        const page = { offset, next: nextQuery({ offset }, pageSize, hasMore), publicUrl: publicUrl() }
        const listed = releases.map((release) => ({
          ...release,
          isDeprecated: states.findDeprecation(release.name, release.version) !== null,
        }))
        return new ListPage(Buffer.from((await load()).catalogDocument(listed, page)), hasMore)
      }),

    /** Throws VALIDATION_FAILED for a malformed name or version, NOT_FOUND if there is no such approved release. */
    async getReleaseDocument(name: string, version: string): Promise<Buffer> {
      const issues = [...check(skillNameSchema, name, 'name'), ...check(versionSchema, version, 'version')]
      if (issues.length > 0) {
        throw new DomainError('VALIDATION_FAILED', texts.invalidPath(summarize(issues)), { issues })
      }
      return cached(`release ${name} ${version}`, async () => {
        const release = JSON.parse(catalog.getRelease(name, version).toString()) as RegistryVersion
        const { selfApproved } = statements.getReview(name, version)
        const about = {
          owners: owners.listOwners(name),
          selfApproved,
          deprecation: states.findDeprecation(name, version),
        }
        return Buffer.from(await (await load()).releaseDocument(release, about, context()))
      })
    },

    getRobots: (): Buffer =>
      Buffer.from(`User-agent: *\nAllow: /\n\nSitemap: ${publicUrl()}/api/sitemap.xml\n`),

    /** RFC 9116. It expires at midnight, so that it changes once a day. Throws NOT_FOUND without a contact. */
    getSecurityContact(): Buffer {
      if (config.securityContact === null) throw new DomainError('NOT_FOUND', texts.noSecurityContact)
      const day = new Date(Date.now() + contactMs).toISOString().slice(0, 10)
      return Buffer.from(
        `Contact: ${config.securityContact}\nExpires: ${day}T00:00:00.000Z\n` +
          `Canonical: ${publicUrl()}/.well-known/security.txt\n`,
      )
    },

    /** Throws NOT_FOUND if the skill has no approved release. */
    getAgentSkill: (name: string): Promise<Buffer> =>
      cached(`agent skill ${name}`, async () =>
        makeAgentSkill(JSON.parse(catalog.getLatestRelease(name).toString()) as RegistryVersion),
      ),

    /** The index of Agent Skills Discovery 0.2.0. */
    getAgentSkills: (): Promise<Buffer> =>
      cached('agent skills', async () => {
        const latest = new Map<string, RegistryVersion>()
        for (let offset = 0; offset < agentSkillReleases; offset += pageSize) {
          const { body: releases, hasMore } = listReleases(offset)
          for (const release of releases) {
            // Newest first, so the first one is the latest of its skill.
            if (!latest.has(release.name)) latest.set(release.name, release)
          }
          if (!hasMore) break
          // Gives way to other requests after each page.
          await setImmediate()
        }
        const skills: object[] = []
        for (const release of latest.values()) {
          const document = await makeAgentSkill(release)
          skills.push({
            name: release.name,
            type: 'skill-md',
            description: (await load()).agentDescription(release.manifest.description),
            url: `${publicUrl()}/.well-known/agent-skills/${release.name}/SKILL.md`,
            digest: `sha256:${createHash('sha256').update(document).digest('hex')}`,
          })
        }
        return Buffer.from(
          JSON.stringify({ $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills }),
        )
      }),

    /** llms.txt (llmstxt.org): the newest posts, projects, and links to everything else. */
    getLlms: (): Promise<Buffer> =>
      cached('llms', async () => {
        const newest = posts.listNewest(20)
        const shown = projects.listApproved(0).items
        const { guide } = await load()
        return Buffer.from(guide({ posts: newest, projects: shown, publicUrl: publicUrl() }))
      }),
  }
}

export type Documents = ReturnType<typeof createDocuments>

function check(schema: typeof skillNameSchema, value: string, path: string): ErrorIssue[] {
  const result = schema.safeParse(value)
  return result.success ? [] : toIssues(result.error, path)
}
