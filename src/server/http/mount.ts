import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import type { z } from 'zod'
import type { successSchema } from '../../shared/contracts/common.ts'
import type { AuditChannel } from '../../shared/contracts/desk-audit-log.ts'
import { rolesWith } from '../../shared/contracts/people.ts'
import type { Person, PersonWith } from '../../shared/contracts/people.ts'
import type { PublishGrant } from '../../shared/contracts/trusted-publishers.ts'
import { DomainError } from '../../shared/errors.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import type {
  Access,
  FormBody,
  JsonBody,
  JsonReply,
  MultipartBody,
  RawReply,
  RedirectReply,
  Route,
  RouteScope,
} from '../../shared/route.ts'
import { ListPage, nextQuery } from '../../shared/list-page.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import { may } from '../../shared/may.ts'
import { networkOf, plainAddress } from '../../shared/network-address.ts'
import { summarize, toIssues } from '../../shared/validation.ts'
import { withOrigin } from '../db/log/origin.ts'
import type { Origin, Permission } from '../db/log/origin.ts'
import { sendError, sendRefusedPage } from './error-handler.ts'
import type { ErrorContext } from './error-handler.ts'
import { EventStream, sendEventStream } from './event-stream.ts'
import { receiveForm } from './form.ts'
import { receiveMultipart } from './multipart.ts'
import type { ReceivedParts } from './multipart.ts'
import type { PartSink, ReadParts } from './multipart-reader.ts'
import { describeLimit } from './rate-limits.ts'
import type { LimitState, RateLimits } from './rate-limits.ts'
import { readJson } from './read-body.ts'
import {
  allowAnyOrigin,
  JsonBytes,
  RefusedPage,
  WithHeaders,
  WithOtherStatus,
  sendBytes,
  sendDocument,
  sendFile,
  sendPreflight,
  sendRedirect,
} from './replies.ts'
import type { FileReply } from './replies.ts'
import { addHeader } from './response-head.ts'
import type { Endpoint, Target } from './router.ts'
import { statusOf } from './statuses.ts'
import { texts } from './http.texts.ts'

export interface MountContext extends ErrorContext {
  /** Refuses a request by its headers, before authentication. */
  admit?(req: IncomingMessage): void
  /** Refuses a request that this machine must not answer, because another one may write this registry now. */
  assertCurrent?(isRead: boolean): void
  /** Waits until a change may be acknowledged. */
  confirm?(): Promise<void>
  /** Refuses an upload early if it could not be stored. Forms are still read, to return the entered values. */
  assertMayUpload(): void
  /** Identifies the caller by the headers. Throws one of the codes with status 401. */
  authenticate(req: IncomingMessage): Promise<Authenticated>
  /** Whether these are endpoints of the remote desk, whose credential is a cookie. */
  remote: boolean
  /** Whether pages of other origins may read public answers: on the registry, whose public data anyone can read. */
  crossOrigin: boolean
  /** For the audit log; absent in processes that change nothing. */
  audit?: {
    channelOf(req: IncomingMessage): AuditChannel
    countRefusedSignIn(channel: AuditChannel, network: string, code: ErrorCode): void
  }
  /** Limits callers by their address; absent if only this computer can call. */
  rateLimits?: RateLimits
  /** Whether a token with the first scope may call an endpoint that declares the second. */
  scopeReaches(held: RouteScope | null, needed: RouteScope | undefined): boolean
  /** Checks every JSON reply against its schema; for tests and development. */
  checkReplies: boolean
  /** Milliseconds over which a body must average the minimum rate. */
  paceWindowMs: number
}

interface Authenticated {
  person: Person
  scope: RouteScope | null
  /** What the token of a trusted publisher is limited to. */
  grant?: PublishGrant
  /** The id of the desk session; absent for a token. */
  session?: number
  /** The person as they are now. Throws one of the codes with status 401 once the credential has ended. */
  readPerson(): Person
}

type Parsed<T> = [NonNullable<T>] extends [never]
  ? undefined
  : NonNullable<T> extends z.ZodType
    ? z.output<NonNullable<T>>
    : undefined

type CallerOf<A extends Access> = A extends 'public' ? undefined : PersonWith<Exclude<A, 'public'>>

/** The validated request that a handler gets. */
export interface Call<R extends Route> {
  params: Parsed<R['params']>
  query: Parsed<R['query']>
  caller: CallerOf<R['access']>
  /** The id of the caller's desk session; null for a token and on public endpoints. */
  session: number | null
  /** What the token of a trusted publisher is limited to; null for everyone else. */
  grant: PublishGrant | null
  /** Whether the request was sent to the remote desk. */
  remote: boolean
  body: NonNullable<R['body']> extends JsonBody<infer T> ? z.output<T> : undefined
  method: string
  headers: IncomingHttpHeaders
  /** The client's address, as reported by trusted proxies. */
  address: string
  /** Identifies the client for limits: the person, or else the address (for IPv6 its /64 network). */
  clientKey: string
  /** Adds the state of a limit of the handler to the response, whether it succeeds or fails. */
  describeLimit(limit: LimitState): void
  /** Aborted when the client disconnects; aborted work may throw the signal's reason. */
  untilGone(): AbortSignal
  receive: NonNullable<R['body']> extends MultipartBody
    ? <T>(sink: PartSink<T>) => Promise<ReceivedParts<T>>
    : NonNullable<R['body']> extends FormBody
      ? <T>(sink: PartSink<T>) => Promise<ReadParts<T>>
      : undefined
}

type Result<R extends Route> = R['reply'] extends { pageSize: number } ? ListPage<Body<R>> : Body<R>

type Body<R extends Route> =
  R['reply'] extends JsonReply<infer T>
    ? z.input<T> | JsonBytes | WithHeaders<z.input<T>> | WithOtherStatus<z.input<T>> | Done<z.input<T>>
    : R['reply'] extends RawReply
      ? FileReply | Buffer | WithHeaders<Buffer> | EventStream
      : R['reply'] extends RedirectReply
        ? string | RefusedPage
        : never

/** A handler that returns nothing answers with the reply of section 2.6, where the endpoint declares it. */
type Done<Reply> = z.input<typeof successSchema> extends Reply ? void : never

export type Handler<R extends Route> = (call: Call<R>) => Result<R> | Promise<Result<R>>
export type Handlers<Routes extends Record<string, Route>> = { [Key in keyof Routes]: Handler<Routes[Key]> }

/** Handlers whose types the route table checks against their routes. */
export type CheckedHandlers = Readonly<Record<string, (call: never) => unknown>>

/**
 * Makes the endpoints of a contract. This is the only place that defines the order of a request's steps: admission,
 * authentication, authorization, parameters, body, handler, reply. The caller is authorized again in each
 * transaction, because access may end while a client sends. Handlers check quotas and slots before they read a multipart
 * body. Nothing is awaited that need not be, since a promise costs as much as a cached answer.
 */
export function mount(
  routes: Readonly<Record<string, Route>>,
  handlers: CheckedHandlers,
  context: MountContext,
): Endpoint[] {
  return Object.entries(routes).flatMap(([key, route]) => {
    const { method, path } = route
    const handler = handlers[key] as Handler<Route>
    const isRead = isReadOnly(route)
    const allowsAnyOrigin = context.crossOrigin && route.access === 'public' && isRead
    const endpoint: Endpoint = {
      method,
      path,
      answer(req, res, target) {
        const fail = (error: unknown): void => {
          if (error instanceof ClientGone) return
          noteRefusedSignIn(context, req, error)
          sendError(req, res, error, context, {}, route.statuses)
        }
        if (allowsAnyOrigin) allowAnyOrigin(res)
        try {
          context.assertCurrent?.(isRead)
          if (!allowsAnyOrigin) context.admit?.(req)
          serve(route, handler, context, req, res, target)?.catch(fail)
        } catch (error) {
          fail(error)
        }
      },
    }
    if (!allowsAnyOrigin || method === 'GET') return [endpoint]
    return [endpoint, { method: 'OPTIONS', path, answer: (_req, res) => sendPreflight(res, method) }]
  })
}

const isReadOnly = ({ method, readOnly }: Route): boolean => method === 'GET' || readOnly === true

/** Without any credentials, nobody has tried to sign in. A session that has ended was accepted before. */
function noteRefusedSignIn(context: MountContext, req: IncomingMessage, error: unknown): void {
  if (!(error instanceof DomainError) || statusOf(error.code) !== 401) return
  if (error.code === 'TOKEN_MISSING' || error.code === 'SESSION_MISSING') return
  const { audit } = context
  audit?.countRefusedSignIn(audit.channelOf(req), networkOf(context.clientOf(req) ?? ''), error.code)
}

/** The client disconnected, so that no answer can be sent. */
class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

function untilGone(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new ClientGone('the client disconnected'))
  if (res.destroyed) abort()
  else res.once('close', abort)
  return controller.signal
}

/** Throws, rejects or sends the answer; a promise only if something must be awaited. */
function serve(
  route: Route,
  handler: Handler<Route>,
  context: MountContext,
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
): Promise<void> | undefined {
  const address = context.clientOf(req) ?? ''
  const network = networkOf(address)
  const { rateLimit } = route
  if (rateLimit !== undefined && (route.method !== 'GET' || target.query !== '')) {
    context.rateLimits?.count(rateLimit, network, res)
  }
  const respond = (call: unknown): Promise<void> | undefined => {
    const answer = (value: unknown): Promise<void> | undefined => {
      if (!(value instanceof ListPage)) return send(route, context, req, res, value)
      linkToNext(route.reply, call as { query: PageQuery }, value, res)
      return send(route, context, req, res, value.body)
    }
    const handle = (): unknown => handler(call as Call<Route>)
    const { confirm } = context
    if (confirm !== undefined && !isReadOnly(route)) return confirmed(handle, confirm).then(answer)
    const result = handle()
    return result instanceof Promise ? result.then(answer) : answer(result)
  }
  const proceed = (authenticated?: Authenticated): Promise<void> | undefined => {
    const caller = authenticated?.person
    const call = {
      params: parse(route.params, target.params, 'path'),
      query: route.query && parse(route.query, parseQuery(target.query), 'query'),
      caller,
      session: authenticated?.session ?? null,
      grant: authenticated?.grant ?? null,
      remote: context.remote,
      method: req.method,
      headers: req.headers,
      address,
      // Not a getter: each call would get its own hidden class, which only a full garbage collection frees.
      clientKey: caller === undefined ? `address ${network}` : `person ${caller.id}`,
      describeLimit: (limit: LimitState) => describeLimit(res, limit),
      untilGone: () => untilGone(res),
      body: undefined as unknown,
      receive: undefined as unknown,
    }
    const { body } = route
    if (body?.kind === 'json') {
      return readJson(req, res, body.maxBytes, context.paceWindowMs).then((value) => {
        call.body = parse(body.schema, value, 'body')
        return respond(call)
      })
    }
    if (body?.kind === 'multipart') {
      context.assertMayUpload()
      call.receive = (sink: PartSink<unknown>) => receiveMultipart(req, res, body, sink, context.paceWindowMs)
    }
    if (body?.kind === 'form') {
      call.receive = (sink: PartSink<unknown>) => receiveForm(req, res, body, sink, context.paceWindowMs)
    }
    return respond(call)
  }
  // Public reads, which are most requests, change nothing.
  if (route.access === 'public' && route.method === 'GET') return proceed()
  const origin: Origin = {
    person: null,
    channel: context.audit?.channelOf(req) ?? 'server',
    address: plainAddress(address) || null,
  }
  const permission: Permission = { assert: permitted }
  const work = (): Promise<void> | undefined => {
    if (route.access === 'public') return proceed()
    return authorize(route, context, req, res, network)
      .then((authenticated) => {
        origin.person = authenticated.person.id
        permission.assert = () => assertMay(route, authenticated.readPerson())
        return proceed(authenticated)
      })
      .finally(() => {
        // What the request has set off, such as a held decision, goes on without it.
        permission.assert = permitted
      })
  }
  return withOrigin(origin, work, permission)
}

const permitted = (): void => {}

/**
 * The result of a change once it may be acknowledged. A conflict is one too: it says what an earlier change did, which may
 * not have been acknowledged.
 */
async function confirmed(handle: () => unknown, confirm: () => Promise<void>): Promise<unknown> {
  let result: unknown
  try {
    result = await handle()
  } catch (error) {
    if (error instanceof DomainError && statusOf(error.code) === 409) await confirm()
    throw error
  }
  await confirm()
  return result
}

/** Below any public address, because the reference is relative to the request's own address. */
function linkToNext(
  reply: Route['reply'],
  { query }: { query: PageQuery },
  { hasMore }: ListPage<unknown>,
  res: ServerResponse,
): void {
  const next = reply.kind === 'redirect' ? null : nextQuery(query, reply.pageSize ?? 0, hasMore)
  if (next !== null) addHeader(res, 'Link', `<${next}>; rel="next"`)
}

async function authorize(
  route: Route,
  context: MountContext,
  req: IncomingMessage,
  res: ServerResponse,
  network: string,
): Promise<Authenticated> {
  context.rateLimits?.assertMayTryToken(network, res)
  const authenticated = await context.authenticate(req).catch((error: unknown) => {
    // A missing token costs nothing.
    const isTried = req.headers[context.remote ? 'cookie' : 'authorization'] !== undefined
    if (isTried && error instanceof DomainError && statusOf(error.code) === 401) {
      context.rateLimits?.countRefusedToken(network)
    }
    throw error
  })
  const { person, scope } = authenticated
  assertMay(route, person)
  if (!context.scopeReaches(scope, route.scope)) {
    throw new DomainError('SCOPE_INSUFFICIENT', texts.access.scope(scope))
  }
  return authenticated
}

/** Throws FORBIDDEN. */
function assertMay({ access }: Route, person: Person): void {
  if (access === 'public' || may(person.role, access)) return
  throw new DomainError('FORBIDDEN', texts.access.only(rolesWith[access]))
}

function parse(schema: z.ZodType | undefined, value: unknown, what: 'path' | 'query' | 'body'): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const issues = toIssues(result.error)
  throw new DomainError('VALIDATION_FAILED', texts.invalid(what, summarize(issues)), { issues })
}

/** Resolves when a file is sent; everything else is handed over at once. */
function send(
  route: Route,
  context: MountContext,
  req: IncomingMessage,
  res: ServerResponse,
  result: unknown,
): Promise<void> | undefined {
  const { reply } = route
  if (reply.kind === 'redirect') {
    if (result instanceof RefusedPage) sendRefusedPage(req, res, result, context)
    else sendRedirect(res, reply.status, result as string)
    return undefined
  }
  const { headers, status } = result instanceof WithHeaders ? result : { headers: {}, status: null }
  const body = result instanceof WithHeaders || result instanceof WithOtherStatus ? result.body : result
  if (reply.kind === 'raw') {
    if (body instanceof EventStream) sendEventStream(req, res, body)
    else if (!Buffer.isBuffer(body)) return sendFile(req, res, body as FileReply)
    else if (reply.conditional === true) sendDocument(req, res, reply.mediaType, body, headers)
    else sendBytes(res, status ?? reply.status, reply.mediaType, body, headers)
    return undefined
  }
  const bytes =
    body instanceof JsonBytes ? body.bytes : Buffer.from(JSON.stringify(body ?? { success: true }))
  if (context.checkReplies) reply.schema.parse(JSON.parse(bytes.toString()))
  const sent = result instanceof WithOtherStatus ? (reply.otherStatus ?? reply.status) : reply.status
  sendBytes(res, sent, 'application/json; charset=utf-8', bytes, headers)
  return undefined
}
