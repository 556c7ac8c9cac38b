import { z } from 'zod'
import { errorResponseSchema, problemSchema } from '../../shared/contracts/common.ts'
import { isOciPath, ociCodeOf, ociErrorSchema } from '../../shared/contracts/oci.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import type { FormBody, MultipartBody, Route } from '../../shared/route.ts'
import { statusOf } from './statuses.ts'

type Json = { [key: string]: unknown }

/** The version of the API, not of the program (section 9.1). */
const interfaceVersion = '0.3.1'

const tagDescriptions: Record<string, string> = {
  'Transparency log': 'The append-only log of all decisions and changes, with proofs.',
  Registry: 'Skills: catalog, packages, submission and review.',
  OCI: 'Read-only, for clients of OCI registries; errors are those of the OCI Distribution Specification 1.1.',
  MCP: 'For agents: search and descriptions of approved skills by the Model Context Protocol.',
  Operations: 'Health and API description of the service.',
  Documents: 'Posts, projects and releases as Markdown.',
  Discovery: 'Feed, sitemap and other entry points for programs.',
  Pages: 'The public website: HTML pages without scripts.',
  Skilldock:
    "Extensions: a publisher's own releases with their findings, review evidence, and signing in from a terminal.",
  Uploads: 'Images: uploading and downloading them.',
  Identity: 'Public keys of the built-in issuer.',
  Dashboard: "The data of an agent project; only on the registry's own computer.",
  Desk: "The API of the desk; only on the registry's own computer.",
}

const statusDescriptions: Record<number, string> = {
  400: 'The request is invalid',
  401: 'The token, session or code is missing, expired or invalid',
  403: "The caller doesn't have permission",
  404: 'There is no such resource',
  409: "The request conflicts with the resource's current state",
  429: 'A quota, rate limit or concurrency limit has been reached; retry later',
  431: 'The request headers are too large',
  500: 'Unexpected server error',
  503: 'The server is stopping, or something that the request needs is unavailable; retry later',
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: "The ETag of the client's cached copy.",
  schema: { type: 'string' },
}

const errorContent = {
  'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } },
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}
const ociErrorContent = { 'application/json': { schema: { $ref: '#/components/schemas/OciErrors' } } }
const otherError = { description: 'Any other response is an error', content: errorContent }

interface ApiServer {
  url: string
  description: string
}

/** Routes with the same servers and authentication. */
interface InterfaceGroup {
  /** Keyed by operationId. */
  routes: Record<string, Route>
  /** Their server, unless it is the registry. */
  server?: ApiServer
  /** Desk routes take a desk session key as the bearer token, all others a token of the registry. */
  session?: 'desk'
  /** Whether a mirror refuses to change what they are about. */
  isContent?: boolean
}

/**
 * The OpenAPI 3.1 description (section 9.1), generated from the contracts that the server mounts. `publicUrl` is the
 * URL at which clients reach the registry.
 */
export function describeInterface(groups: readonly InterfaceGroup[], publicUrl: string): Json {
  const schemas: Json = {}
  const toSchema = createConverter(schemas)
  const paths: Record<string, Json> = {}
  const operationIds = new Set<string>()
  for (const group of groups) {
    for (const [operationId, route] of Object.entries(group.routes)) {
      const operations = (paths[route.path] ??= group.server === undefined ? {} : { servers: [group.server] })
      // Operation ids are unique (OpenAPI 3.1); the desk has some endpoints of the registry under the same key.
      const id = operationIds.has(operationId) ? `${operationId}InDesk` : operationId
      operationIds.add(id)
      operations[route.method.toLowerCase()] = describe(id, route, group, toSchema)
    }
  }
  const hasDesk = groups.some((group) => group.session === 'desk')
  toSchema(errorResponseSchema, 'output')
  toSchema(problemSchema, 'output')
  toSchema(ociErrorSchema, 'output')
  const tags = [...new Set(groups.flatMap(({ routes }) => Object.values(routes).map(tagOf)))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Skilldock',
      version: interfaceVersion,
      description:
        'A registry of free WASI preview 1 command modules with manual review. Within a major version of ' +
        'Skilldock no endpoint, field or error code is removed or changes its meaning.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'The registry' }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token of this registry, or of an identity provider that it accepts.',
        },
        ...(hasDesk
          ? {
              desk: {
                type: 'http',
                scheme: 'bearer',
                description:
                  'The key of a desk session, obtained with a sign-in code. Writes also require the Origin header of ' +
                  'the desk itself.',
              },
            }
          : {}),
      },
    },
  }
}

const tagOf = ({ tag = 'Desk' }: Route): string => tag

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Json

/** Converts zod to JSON Schema; a schema with an id becomes a referenced component. */
function createConverter(schemas: Json): ToSchema {
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift)
    if (typeof value !== 'object' || value === null) return value
    const lifted: Json = {}
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$schema' || key === 'id') continue
      if (key === '$ref') lifted[key] = String(inner).replace('#/$defs/', '#/components/schemas/')
      else if (key === '$defs') Object.assign(schemas, lift(inner))
      else if (key === 'properties') lifted[key] = liftEach(inner as Json)
      else lifted[key] = lift(inner)
    }
    return lifted
  }
  const liftEach = (properties: Json): Json =>
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, lift(inner)]))

  return (schema, io) =>
    lift(
      z.toJSONSchema(schema, {
        io,
        // A parameter is text in the URL, but documented with its parsed type.
        override({ zodSchema, jsonSchema }) {
          const override = z.globalRegistry.get(zodSchema)?.['override']
          if (override === undefined) return
          for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
          Object.assign(jsonSchema, override)
        },
      }),
    ) as Json
}

function describe(operationId: string, route: Route, group: InterfaceGroup, toSchema: ToSchema): Json {
  const { reply } = route
  const parameters = [
    ...parametersOf(route.params, 'path', toSchema),
    ...parametersOf(route.query, 'query', toSchema),
    ...(isConditional(route.reply) ? [ifNoneMatch] : []),
  ]
  return {
    operationId,
    summary: route.summary,
    tags: [tagOf(route)],
    security: route.access === 'public' ? [] : [{ [group.session ?? 'bearer']: [] }],
    ...(route.deprecated === true ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: describeBody(route.body, toSchema) }),
    responses: {
      [reply.status]: describeReply(reply, toSchema),
      ...(isConditional(reply) ? { 304: { description: "The client's copy is current" } } : {}),
      ...describeErrors(route, group),
      ...describeOtherStatus(reply, toSchema),
      // OpenAPI linters require a 2xx or a default response.
      ...(reply.kind === 'redirect' ? { default: otherError } : {}),
    },
  }
}

const isConditional = (reply: Route['reply']): boolean => reply.kind === 'raw' && reply.conditional === true

/** A response with this status is either the reply or an ErrorResponse. */
function describeOtherStatus(reply: Route['reply'], toSchema: ToSchema): Json {
  if (reply.kind !== 'json' || reply.otherStatus === undefined) return {}
  const anyOf = [toSchema(reply.schema, 'output'), errorContent['application/json'].schema]
  const content = { 'application/json': { schema: { anyOf } } }
  return { [reply.otherStatus]: { description: 'The problems, or an error. Codes: STOPPING.', content } }
}

function describeReply(reply: Route['reply'], toSchema: ToSchema): Json {
  const { description } = reply
  const headers = headersOf(reply)
  return {
    description,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(reply.kind === 'json' && {
      content: { 'application/json': { schema: toSchema(reply.schema, 'output') } },
    }),
    // OpenAPI lists media types without parameters such as the charset.
    ...(reply.kind === 'raw' && { content: { [reply.mediaType.replace(/;.*/, '')]: {} } }),
  }
}

function headersOf(reply: Route['reply']): Json {
  if (reply.kind === 'redirect') {
    const schema = { type: 'string', format: 'uri-reference' }
    return { Location: { description: 'The URL of the resource', required: true, schema } }
  }
  const text = { schema: { type: 'string' } }
  return {
    ...(isConditional(reply) && { ETag: { description: 'For If-None-Match', required: true, ...text } }),
    ...(reply.pageSize !== undefined && {
      Link: { description: 'The next page, with `rel="next"` (RFC 8288); absent on the last page', ...text },
    }),
  }
}

function parametersOf(schema: z.ZodObject | undefined, place: string, toSchema: ToSchema): Json[] {
  if (schema === undefined) return []
  const object = toSchema(schema, 'input')
  const required = (object['required'] ?? []) as string[]
  return Object.entries(object['properties'] as Record<string, Json>).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function describeBody(body: NonNullable<Route['body']>, toSchema: ToSchema): Json {
  if (body.kind === 'json') {
    return { required: true, content: { 'application/json': { schema: toSchema(body.schema, 'input') } } }
  }
  return { required: true, content: { 'multipart/form-data': describeParts(body) } }
}

function describeParts(body: MultipartBody | FormBody): Json {
  const properties: Json = {}
  const encoding: Json = {}
  for (const [name, part] of Object.entries(body.parts)) {
    properties[name] =
      part.kind === 'text'
        ? {
            type: 'string',
            ...(part.maxLength === undefined ? {} : { maxLength: part.maxLength }),
            description: part.description,
          }
        : { type: 'string', format: 'binary', description: part.description }
    if (part.mediaType !== undefined) encoding[name] = { contentType: part.mediaType }
  }
  const required = Object.keys(body.parts).filter((name) => body.parts[name]?.optional !== true)
  const schema = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
  return { schema: { ...schema, additionalProperties: false }, encoding }
}

/** Whether a path parameter can be invalid. */
function canRefuse(params: Route['params']): boolean {
  if (params === undefined) return false
  const odd = Object.fromEntries(Object.keys(params.shape).map((name) => [name, '\0 /']))
  return !params.safeParse(odd).success
}

function describeErrors(route: Route, group: InterfaceGroup): Json {
  const codes = new Set<ErrorCode>([
    ...(route.errors ?? []),
    'HEADERS_TOO_LARGE',
    'INTERNAL',
    'STOPPING',
    'WRITER_REPLACED',
  ])
  if (canRefuse(route.params) || route.query !== undefined) codes.add('VALIDATION_FAILED')
  if (route.body?.kind === 'json') {
    for (const code of ['VALIDATION_FAILED', 'INVALID_JSON', 'BODY_TOO_LARGE', 'BODY_INCOMPLETE'] as const) {
      codes.add(code)
    }
  }
  if (group.server !== undefined) codes.add('HOST_FORBIDDEN').add('ORIGIN_FORBIDDEN')
  else if (route.method !== 'GET') codes.add('ORIGIN_FORBIDDEN')
  if (route.method !== 'GET' && route.readOnly !== true) codes.add('UNCONFIRMED')
  if (group.isContent === true && route.method !== 'GET' && route.readOnly !== true)
    codes.add('MIRROR_READ_ONLY')
  // The sessions and tokens of people are in the database.
  if (route.access !== 'public') codes.add('DATABASE_UNAVAILABLE')
  if (route.access !== 'public' && group.session !== undefined) codes.add('SESSION_MISSING')
  else if (route.access !== 'public') {
    for (const code of ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'] as const) {
      codes.add(code)
    }
    codes.add('SCOPE_INSUFFICIENT').add('ISSUER_UNAVAILABLE').add('TOO_MANY_REQUESTS')
  }
  if (route.access !== 'public' && route.access !== 'person') codes.add('FORBIDDEN')

  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status = statusOf(code, route.statuses)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const isOci = isOciPath(route.path)
  const nameOf = (code: ErrorCode): string => (isOci ? ociCodeOf(code) : code)
  const responses: Json = {}
  for (const [status, held] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    responses[status] = {
      description: `${statusDescriptions[status] ?? 'Error'}. Codes: ${held.map(nameOf).toSorted().join(', ')}.`,
      content: isOci ? ociErrorContent : errorContent,
    }
  }
  return responses
}
