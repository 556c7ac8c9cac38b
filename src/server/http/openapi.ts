import { z } from 'zod'
import { errorResponseSchema } from '../../shared/contracts/common.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import type { FormBody, MultipartBody, Route } from '../../shared/route.ts'
import { statusOf } from './statuses.ts'

type Json = { [key: string]: unknown }

/** The version of the interface, not of the program (section 9.1). */
const interfaceVersion = '0.3.1'

const tagDescriptions: Record<string, string> = {
  Registry: 'Skills: catalog, packages, submission and review.',
  Operations: 'The state and the description of the service.',
  Documents: 'Posts, projects and releases as Markdown.',
  Discovery: 'Feed, sitemap, and what tells programs where things are.',
  Pages: 'What people read: pages without scripts.',
  Skilldock:
    'What goes beyond the interface: own releases with their findings, what reviews were made on, and signing in from a terminal.',
  Uploads: 'Pictures: sending them, and where they are.',
  Identity: 'Keys of the built-in issuer.',
  Dashboard: 'What an agent project holds; on the computer of the registry alone.',
  Desk: 'What the desk itself uses; on the computer of the registry alone.',
}

const statusDescriptions: Record<number, string> = {
  400: 'The request is not accepted as it is; correct it',
  401: 'The caller is not signed in: a token, a session or a code is missing, over or not accepted',
  403: 'The permission of the owner or of an administrator is required',
  404: 'There is no such resource',
  409: 'The resource is in a state that rules this out',
  429: 'A quota or the concurrency limit is reached; retry later',
  431: 'The headers are too large',
  500: 'An unexpected error of this server',
  503: 'The database, the package storage, the agent project, the issuer of the token or the reader of Markdown is unavailable; retry later',
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of what the client has.',
  schema: { type: 'string' },
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } }
const otherRefusal = { description: 'Any other answer is a refusal', content: errorContent }

/** Routes that are reached in one way. */
export interface InterfaceGroup {
  /** Keyed by operationId. */
  routes: Record<string, Route>
  /** Where they are, unless it is the registry. */
  server?: { url: string; description: string }
  /** Whose bearer tokens sign in: the registry's, unless these are desk routes. */
  session?: 'desk'
}

/**
 * The OpenAPI 3.1 description (section 9.1), made from the same contracts that the server mounts.
 * `publicUrl` is where clients reach the registry.
 */
export function describeInterface(groups: readonly InterfaceGroup[], publicUrl: string): Json {
  const schemas: Json = {}
  const toSchema = createConverter(schemas)
  const paths: Record<string, Json> = {}
  for (const group of groups) {
    for (const [operationId, route] of Object.entries(group.routes)) {
      const operations = (paths[route.path] ??= group.server === undefined ? {} : { servers: [group.server] })
      operations[route.method.toLowerCase()] = describe(operationId, route, group, toSchema)
    }
  }
  const hasDesk = groups.some((group) => group.session === 'desk')
  toSchema(errorResponseSchema, 'output')
  const tags = [...new Set(groups.flatMap(({ routes }) => Object.values(routes).map(({ tag }) => tag)))]
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
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A session JWT.' },
        ...(hasDesk
          ? {
              desk: {
                type: 'http',
                scheme: 'bearer',
                description:
                  'The key of a desk session, given in exchange for a sign-in code. Every write also needs an Origin of ' +
                  'the desk itself.',
              },
            }
          : {}),
      },
    },
  }
}

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Json

/** Converts zod to JSON Schema; what has an id becomes a component and is referred to. */
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
        // A parameter is text on the wire and something else in its description.
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
    tags: [route.tag],
    security: route.access === 'public' ? [] : [group.session === undefined ? { bearer: [] } : { desk: [] }],
    ...(route.deprecated === true ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: describeBody(route.body, toSchema) }),
    responses: {
      [reply.status]: describeReply(reply, toSchema),
      ...(isConditional(reply) ? { 304: { description: 'What the client has still counts' } } : {}),
      ...refusals(route, group),
      ...describeOtherStatus(reply, toSchema),
      // There is no success to describe: an OpenAPI linter wants to see that this is no oversight.
      ...(reply.kind === 'redirect' ? { default: otherRefusal } : {}),
    },
  }
}

const isConditional = (reply: Route['reply']): boolean => reply.kind === 'raw' && reply.conditional === true

/** With that status comes the reply or, as with every status above 400, a refusal. */
function describeOtherStatus(reply: Route['reply'], toSchema: ToSchema): Json {
  if (reply.kind !== 'json' || reply.otherStatus === undefined) return {}
  const anyOf = [toSchema(reply.schema, 'output'), errorContent['application/json'].schema]
  const content = { 'application/json': { schema: { anyOf } } }
  return { [reply.otherStatus]: { description: 'What is wrong. Codes of a refusal: STOPPING.', content } }
}

function describeReply(reply: Route['reply'], toSchema: ToSchema): Json {
  const { description } = reply
  if (reply.kind === 'json') {
    return { description, content: { 'application/json': { schema: toSchema(reply.schema, 'output') } } }
  }
  if (reply.kind === 'redirect') {
    const location = {
      description: 'Where it is',
      required: true,
      schema: { type: 'string', format: 'uri-reference' },
    }
    return { description, headers: { Location: location } }
  }
  const etag = { description: 'For If-None-Match', required: true, schema: { type: 'string' } }
  return {
    description,
    ...(isConditional(reply) ? { headers: { ETag: etag } } : {}),
    // A charset is part of the answer and not of what the answer is.
    content: { [reply.mediaType.replace(/;.*/, '')]: {} },
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
        ? { type: 'string', description: part.description }
        : { type: 'string', format: 'binary', description: part.description }
    if (part.mediaType !== undefined) encoding[name] = { contentType: part.mediaType }
  }
  const required = Object.keys(body.parts).filter((name) => body.parts[name]?.optional !== true)
  const schema = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
  return { schema: { ...schema, additionalProperties: false }, encoding }
}

/** Whether an address can be of the wrong shape; what takes any text cannot refuse one. */
function canRefuse(params: Route['params']): boolean {
  if (params === undefined) return false
  const odd = Object.fromEntries(Object.keys(params.shape).map((name) => [name, '\0 /']))
  return !params.safeParse(odd).success
}

function refusals(route: Route, group: InterfaceGroup): Json {
  const codes = new Set<ErrorCode>([...route.errors, 'HEADERS_TOO_LARGE', 'INTERNAL', 'STOPPING'])
  if (canRefuse(route.params) || route.query !== undefined) codes.add('VALIDATION_FAILED')
  if (route.body?.kind === 'json') {
    for (const code of ['VALIDATION_FAILED', 'INVALID_JSON', 'BODY_TOO_LARGE', 'BODY_INCOMPLETE'] as const) {
      codes.add(code)
    }
  }
  if (group.server !== undefined) codes.add('HOST_FORBIDDEN').add('ORIGIN_FORBIDDEN')
  else if (route.method !== 'GET') codes.add('ORIGIN_FORBIDDEN')
  if (route.access !== 'public' && group.session !== undefined) codes.add('SESSION_MISSING')
  else if (route.access !== 'public') {
    for (const code of ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'] as const) {
      codes.add(code)
    }
    codes.add('SCOPE_INSUFFICIENT').add('ISSUER_UNAVAILABLE')
  }
  if (route.access === 'administrator') codes.add('FORBIDDEN')

  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status = statusOf(code, route.statuses)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Json = {}
  for (const [status, held] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    responses[status] = {
      description: `${statusDescriptions[status] ?? 'Refused'}. Codes: ${held.toSorted().join(', ')}.`,
      content: errorContent,
    }
  }
  return responses
}
