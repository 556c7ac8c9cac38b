import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * Who may call an endpoint:
 * - `public`: anybody, a token is not even read;
 * - `person`: a signed-in person (section 5.1);
 * - `administrator`: a signed-in person with the administrator role (section 5.2).
 */
export type Access = 'public' | 'person' | 'administrator'

/** What a narrowed token must carry to reach an endpoint (rulings, "Tokens"). */
export type TokenScope = 'publish' | 'admin'

export interface JsonBody<T extends z.ZodType = z.ZodType> {
  kind: 'json'
  schema: T
  /** Bytes; a longer body is refused before it is parsed. */
  maxBytes: number
}

export interface MultipartBody {
  kind: 'multipart'
  parts: Record<string, MultipartPart>
}

/** What a form in a page sends: every part at most once, several files among them. */
export interface FormBody {
  kind: 'form'
  parts: Record<string, MultipartPart>
}

export interface MultipartPart {
  kind: 'text' | 'file'
  maxBytes: number
  /** Which refusal a larger part is; BODY_TOO_LARGE if absent. */
  tooLargeCode?: ErrorCode
  description: string
  /** Only in a form: it may be missing, or be a file without a name or a byte. */
  optional?: true
  /** The media type that the OpenAPI document names for a file. */
  mediaType?: string
}

export interface JsonReply<T extends z.ZodType = z.ZodType> {
  kind: 'json'
  status: 200 | 201
  schema: T
  description: string
  /** The same body may come with this status, which then says what the body says. */
  otherStatus?: 503
}

/** A reply that is no JSON document of ours: bytes, text, XML. */
export interface RawReply {
  kind: 'raw'
  status: 200
  mediaType: string
  description: string
  /** A client may keep it, and asks with its ETag whether it still counts (RFC 9110, section 13). */
  conditional?: true
}

/** Sends the client to another address. */
export interface RedirectReply {
  kind: 'redirect'
  status: 303 | 308
  description: string
}

type Shape = z.ZodObject | undefined
type Body = JsonBody | MultipartBody | FormBody | undefined
export type Reply = JsonReply | RawReply | RedirectReply

/** One endpoint. `path` names its parameters as OpenAPI does: `/skills/{name}`. */
export interface Route<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  RequestBody extends Body = Body,
  Success extends Reply = Reply,
  Who extends Access = Access,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  tag: string
  summary: string
  access: Who
  /** The scope that a narrowed token needs; without it no narrowed token but `admin` gets through. */
  scope?: TokenScope
  params?: Params
  query?: Query
  body?: RequestBody
  reply: Success
  /** `upload`: section 4.4 knows neither 401, which is 403 there, nor 503, which is 500. */
  statuses?: 'upload'
  /** Another path is to be used instead; this one goes on working (section 9.6). */
  deprecated?: true
  /** The refusals of this endpoint beside those that its access and its inputs bring with them. */
  errors: readonly ErrorCode[]
}

/** Declares one endpoint. The server's mount, the typed client and `/openapi.json` all come from it. */
export function route<
  const Who extends Access,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  RequestBody extends Body = undefined,
  Success extends Reply = Reply,
>(
  definition: Route<Params, Query, RequestBody, Success, Who>,
): Route<Params, Query, RequestBody, Success, Who> {
  return definition
}

/** Makes the endpoints of a group that only answers questions: their paths begin with `prefix`, and their refusals are the same. */
export const readRoutes =
  <const Who extends Access>(prefix: string, tag: string, access: Who, errors: readonly ErrorCode[]) =>
  <Success extends Reply, Query extends z.ZodObject | undefined = undefined>(
    path: string,
    summary: string,
    answer: Success,
    query?: Query,
  ): Route<undefined, Query, undefined, Success, Who> =>
    route({
      method: 'GET',
      path: `${prefix}${path}`,
      tag,
      summary,
      access,
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

/** Text that may be kept: each answer has an ETag, and is asked for again before it is used. */
export function document(mediaType: string, description: string): RawReply {
  return { kind: 'raw', status: 200, mediaType, description, conditional: true }
}

export function redirect(status: RedirectReply['status'], description: string): RedirectReply {
  return { kind: 'redirect', status, description }
}

export function raw(mediaType: string, description: string): RawReply {
  return { kind: 'raw', status: 200, mediaType, description }
}
