import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call an endpoint:
 * - `public`: anyone; a token is not even read
 * - `person`: a signed-in person (section 5.1)
 * - `editor`, `reviewer` and `administrator`: a signed-in person with a role that includes it (`rolesWith`; section 5.2)
 */
export type Access = 'public' | 'person' | 'editor' | 'reviewer' | 'administrator'

/** The scope that a scoped token needs for an endpoint (rulings, "Tokens"). */
export type TokenScope = 'publish' | 'admin'

/** What an endpoint requires of a scoped token. Tokens of trusted publishers have `submit`, which `publish` includes. */
export type RouteScope = TokenScope | 'submit'

/**
 * Limits how often a client may call an endpoint that causes more work than a plain read (docs/decisions/022). Of reads, only those
 * with a query count.
 */
export type RateLimitName = 'search' | 'login' | 'signIn' | 'submission'

export interface JsonBody<T extends z.ZodType = z.ZodType> {
  kind: 'json'
  schema: T
  /** In bytes. A longer body is rejected before it is parsed. */
  maxBytes: number
}

export interface MultipartBody {
  kind: 'multipart'
  parts: Record<string, MultipartPart>
}

/** The body of an HTML form: each part at most once, possibly with several files. */
export interface FormBody {
  kind: 'form'
  parts: Record<string, MultipartPart>
}

export interface MultipartPart {
  kind: 'text' | 'file'
  maxBytes: number
  /** The maximum characters of a text in the OpenAPI document, which is checked with the content. */
  maxLength?: number
  /** The error for a larger part; defaults to BODY_TOO_LARGE. */
  tooLargeCode?: ErrorCode
  description: string
  /** Only in a form: it may be missing, or be an empty file without a name. */
  optional?: true
  /** The media type of a file in the OpenAPI document. */
  mediaType?: string
}

interface ListReply {
  /** Items per page of a list. Every page but the last has a link to the next one (RFC 8288). */
  pageSize?: number
}

export interface JsonReply<T extends z.ZodType = z.ZodType> extends ListReply {
  kind: 'json'
  status: 200 | 201
  schema: T
  description: string
  /** The same body may be sent with this status, depending on its contents. */
  otherStatus?: 503
}

/** A reply other than our JSON documents: bytes, text, XML. */
export interface RawReply extends ListReply {
  kind: 'raw'
  status: 200
  mediaType: string
  description: string
  /** A client may cache it and revalidate it with its ETag (RFC 9110, section 13). */
  conditional?: true
}

/** Redirects the client to another address. */
export interface RedirectReply {
  kind: 'redirect'
  status: 303 | 308
  description: string
}

type Shape = z.ZodObject | undefined
type Body = JsonBody | MultipartBody | FormBody | undefined
type Reply = JsonReply | RawReply | RedirectReply

/** One endpoint. `path` has its parameters in the OpenAPI syntax: `/skills/{name}`. */
export interface Route<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  RequestBody extends Body = Body,
  Success extends Reply = Reply,
  Who extends Access = Access,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Its section in the API description, from `section`; absent in the desk. */
  tag?: string | undefined
  summary: string
  access: Who
  /** The scope that a token needs; if absent, only tokens with the scope `admin` or without a scope are accepted. */
  scope?: RouteScope
  params?: Params
  query?: Query
  body?: RequestBody
  reply: Success
  /** `upload`: as section 4.4 requires, 401 is sent as 403 and 503 as 500. */
  statuses?: 'upload'
  rateLimit?: RateLimitName
  /** It changes nothing though its method is not GET, so pages of any origin may call it. */
  readOnly?: true
  /** Another path replaces this one, which keeps working (section 9.6). */
  deprecated?: true
  /** Errors of this endpoint besides those implied by its access and its inputs. */
  errors?: readonly ErrorCode[]
}

/** How an endpoint is called: `GET /skills/{name}`. */
type Address = `${Route['method']} /${string}`

/** Declares one endpoint. The server's routing, the typed client and `/openapi.json` are derived from it. */
export function route<
  const Who extends Access,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  RequestBody extends Body = undefined,
  Success extends Reply = Reply,
>(
  address: Address,
  access: Who,
  definition: Omit<Route<Params, Query, RequestBody, Success, Who>, 'method' | 'path' | 'access' | 'tag'>,
): Route<Params, Query, RequestBody, Success, Who> {
  const [method, path] = address.split(' ') as [Route['method'], string]
  return { method, path, access, ...definition }
}

/**
 * The same endpoints of the registry, for sessions of the desk: `/api/skilldock/names` is `/desk/api/names` there. They
 * have the same handlers.
 */
export const inDesk = <Routes extends Record<string, Route>>(routes: Routes): Routes =>
  withChanges(routes, ({ path }) => ({ path: path.replace('/api/skilldock', '/desk/api'), tag: undefined }))

/** The endpoints of one section of the API description. */
// Not `Record<string, Route>`, from which TypeScript would infer the types of each route.
export const section = <Routes extends object>(tag: string, routes: Routes): Routes =>
  withChanges(routes, () => ({ tag }))

const withChanges = <Routes extends object>(routes: Routes, change: (one: Route) => Partial<Route>): Routes =>
  Object.fromEntries(
    Object.entries(routes).map(([key, one]: [string, Route]) => [key, { ...one, ...change(one) }]),
  ) as Routes

/** Makes the endpoints of a group that only answers questions: their paths begin with `prefix`, and their refusals are the same. */
export const readRoutes =
  <const Who extends Access>(prefix: `/${string}`, access: Who, errors: readonly ErrorCode[]) =>
  <Success extends Reply, Query extends z.ZodObject | undefined = undefined>(
    path: string,
    summary: string,
    answer: Success,
    query?: Query,
  ): Route<undefined, Query, undefined, Success, Who> =>
    route(`GET ${prefix}${path}`, access, {
      summary,
      ...(query !== undefined && { query }),
      reply: answer,
      errors,
    })

export function json<T extends z.ZodType>(schema: T, maxBytes = 65_536): JsonBody<T> {
  return { kind: 'json', schema, maxBytes }
}

export function reply<T extends z.ZodType>(
  schema: T,
  description: string,
  status: 200 | 201 = 200,
): JsonReply<T> {
  return { kind: 'json', status, schema, description }
}

/** A page of a list whose query has an `offset`. */
export function paged<R extends JsonReply | RawReply>(answer: R, pageSize: number): R & { pageSize: number } {
  return { ...answer, pageSize }
}

/** Cacheable text: each response has an ETag and must be revalidated before it is used. */
export function document(mediaType: string, description: string): RawReply {
  return { kind: 'raw', status: 200, mediaType, description, conditional: true }
}

export function redirect(status: RedirectReply['status'], description: string): RedirectReply {
  return { kind: 'redirect', status, description }
}

export function raw(mediaType: string, description: string): RawReply {
  return { kind: 'raw', status: 200, mediaType, description }
}
