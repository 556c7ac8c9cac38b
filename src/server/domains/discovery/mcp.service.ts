import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { offsetSchema } from '../../../shared/contracts/common.ts'
import { mcpPath } from '../../../shared/contracts/mcp.ts'
import { pageSize } from '../../../shared/contracts/releases.ts'
import { skillNameSchema, versionSchema } from '../../../shared/contracts/manifest.ts'
import { DomainError } from '../../../shared/errors.ts'
import { nextQuery } from '../../../shared/list-page.ts'
import { fenced, untrustedNotice } from '../../content/markdown-text.ts'
import { programVersion } from '../../operations/version.ts'
import type { PublicCatalog, PublicRelease } from '../releases/catalog/public-catalog.service.ts'
import type { ReviewStatements } from '../releases/decisions/review-statement.service.ts'
import { texts } from './discovery.texts.ts'
import type { Documents } from './documents.service.ts'

export interface McpParts {
  catalog: Pick<PublicCatalog, 'listSkills' | 'getLatestVersion' | 'getRelease'>
  statements: Pick<ReviewStatements, 'getReview'>
  documents: Pick<Documents, 'listReleases' | 'getCatalogDocument' | 'getReleaseDocument'>
  /** The registry's public URL. */
  publicUrl(): string
}

/** Answers one message. `client` is `Call.clientKey`. */
export type AnswerMcp = (message: object, headers: IncomingHttpHeaders, client: string) => Promise<Response>

const searchInput = z.strictObject({
  query: z.string().max(100).describe(texts.mcp.query),
  limit: z.int().min(1).max(pageSize).default(10).describe(texts.mcp.limit),
})
const describeInput = z.strictObject({
  name: skillNameSchema.describe(texts.mcp.name),
  version: versionSchema.optional().describe(texts.mcp.version),
})

const mimeType = 'text/markdown'

/** Texts of publishers cannot end the block that quotes them. */
const quoted = (text: string, language: string): string => `${untrustedNotice}\n\n${fenced(text, language)}`

const invalid = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message)

function readOffset(text: string | undefined): number {
  const { data } = offsetSchema.safeParse(text)
  if (data === undefined) throw invalid(texts.mcp.cursor)
  return data
}

/** The registry for clients of the Model Context Protocol: reads of the catalog, without sessions (decision 035). */
export function createMcp({ catalog, statements, documents, publicUrl }: McpParts): AnswerMcp {
  const catalogUrl = (): string => `${publicUrl()}/docs-markdown/site/marketplace.md`
  const documentUrl = (name: string, version: string): string =>
    `${publicUrl()}/docs-markdown/marketplace/${name}/${version}.md`

  /** What the registry knows of a release, with the texts of its publisher in one field. */
  const factsOf = ({ name, version, manifest, publisher, deprecation }: PublicRelease) => ({
    name,
    version,
    category: manifest.category,
    deprecated: deprecation !== null,
    document: documentUrl(name, version),
    untrusted: { publisher, description: manifest.description },
  })

  const searchSkills = async ({ query, limit }: z.output<typeof searchInput>, client: string) => {
    const { items, hasMore } = await catalog.listSkills({ q: query, offset: 0 }, client)
    return { skills: items.slice(0, limit).map(factsOf), hasMore: hasMore || items.length > limit }
  }

  const describeSkill = ({ name, version }: z.output<typeof describeInput>) => {
    const release = catalog.getRelease(name, version ?? catalog.getLatestVersion(name))
    const { manifest, deprecation, sha256, size, imports, createdAt, approvedAt } = release
    const { license, inputs, outputs, examples } = manifest
    const { untrusted, ...facts } = factsOf(release)
    return {
      ...facts,
      page: `${publicUrl()}/skills/${name}/${release.version}`,
      install: `skill install ${name}@${release.version} --registry ${publicUrl()}`,
      sha256,
      size,
      imports,
      submittedAt: createdAt,
      approvedAt,
      successor: deprecation?.successor ?? null,
      review: statements.getReview(name, release.version),
      untrusted: {
        ...untrusted,
        license,
        inputs,
        outputs,
        examples,
        deprecationReason: deprecation?.reason ?? null,
      },
    }
  }

  const listResources = (cursor: string | undefined) => {
    const offset = readOffset(cursor)
    const { body, hasMore } = documents.listReleases(offset)
    const resources = body.map(({ name, version }) => ({
      uri: documentUrl(name, version),
      name: `${name} ${version}`,
      mimeType,
    }))
    const first = { uri: catalogUrl(), name: 'catalog', title: texts.mcp.catalog, mimeType }
    const hasNext = nextQuery({ offset }, pageSize, hasMore) !== null
    return {
      resources: offset === 0 ? [first, ...resources] : resources,
      ...(hasNext && { nextCursor: String(offset + pageSize) }),
    }
  }

  /** `fail` is called with an error that no client can correct; it becomes the answer to the request, as at every other endpoint. */
  const createServer = (client: string, fail: (error: unknown) => void): McpServer => {
    const attempt = async <T>(read: () => T | Promise<T>): Promise<T> => {
      try {
        return await read()
      } catch (error) {
        const isCorrectable =
          error instanceof DomainError && ['NOT_FOUND', 'VALIDATION_FAILED'].includes(error.code)
        if (isCorrectable) throw invalid(`${error.message} ${texts.mcp.search}`)
        if (!(error instanceof ProtocolError)) fail(error)
        throw error
      }
    }
    const call = (read: () => object | Promise<object>): Promise<CallToolResult> =>
      attempt(async () => {
        const found = await read()
        const text = quoted(JSON.stringify(found, null, 2), 'json')
        return { content: [{ type: 'text', text }], structuredContent: { ...found } }
      })
    const readDocument = ({ href }: URL, read: () => Promise<Buffer>): Promise<ReadResourceResult> =>
      attempt(async () => {
        const text = quoted((await read()).toString(), 'markdown')
        return { contents: [{ uri: href, mimeType, text }] }
      })
    const readCatalog = (uri: URL): Promise<ReadResourceResult> =>
      readDocument(uri, async () => {
        const offset = readOffset(uri.searchParams.get('offset') ?? undefined)
        return (await documents.getCatalogDocument(offset)).body
      })

    const server = new McpServer(
      { name: 'skilldock', title: 'Skilldock', version: programVersion, websiteUrl: publicUrl() },
      {
        instructions: texts.mcp.instructions,
        capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      },
    )
    const annotations = { readOnlyHint: true }
    server.registerTool(
      'search_skills',
      { description: texts.mcp.searchSkills, inputSchema: searchInput, annotations },
      (input) => call(() => searchSkills(input, client)),
    )
    server.registerTool(
      'describe_skill',
      { description: texts.mcp.describeSkill, inputSchema: describeInput, annotations },
      (input) => call(() => describeSkill(input)),
    )
    const about = { title: texts.mcp.catalog, mimeType }
    server.registerResource('catalog', catalogUrl(), about, readCatalog)
    const pages = new ResourceTemplate(`${catalogUrl()}?offset={offset}`, { list: undefined })
    server.registerResource('catalog page', pages, about, readCatalog)
    server.registerResource(
      'release',
      new ResourceTemplate(documentUrl('{name}', '{version}'), { list: undefined }),
      { title: texts.mcp.release, mimeType },
      (uri, { name, version }) =>
        readDocument(uri, () => documents.getReleaseDocument(String(name), String(version))),
    )
    // The SDK lists everything at once.
    server.server.setRequestHandler('resources/list', ({ params }) =>
      attempt(() => listResources(params?.cursor)),
    )
    return server
  }

  return async (message, headers, client) => {
    const failures: unknown[] = []
    const factory = () => createServer(client, (error) => failures.push(error))
    const sent = Object.entries(headers).filter(([name]) => /^(?:accept|content-type|mcp-.*)$/.test(name))
    const request = new Request(publicUrl() + mcpPath, {
      method: 'POST',
      headers: sent.map(([name, value]) => [name, String(value)]),
    })
    const options = { parsedBody: message }
    const serve = async (): Promise<Response> => {
      if (!(await isLegacyRequest(request, message))) {
        const handler = createMcpHandler(factory, { legacy: 'reject', maxSubscriptions: 0 })
        return handler.fetch(request, options)
      }
      // Clients of 2025: as the SDK would serve them, but as JSON instead of an event stream of one event.
      const server = factory()
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport)
      const response = await transport.handleRequest(request, options)
      await server.close()
      return response
    }
    const response = await serve()
    if (failures.length > 0) throw failures[0]
    return response
  }
}
