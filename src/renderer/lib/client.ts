import type { z } from 'zod'
import type { ErrorResponse } from '../../shared/contracts/common.ts'
import type { JsonBody, JsonReply, RawReply, Route } from '../../shared/route.ts'
import { ApiError } from './api-error.ts'

type Text<T> = { [Key in keyof T]: T[Key] | number | undefined }
type ParamsOf<P> = P extends z.ZodObject ? { params: Text<z.input<P>> } : object
type QueryOf<Q> = Q extends z.ZodObject ? { query?: Text<z.input<Q>> } : object
type BodyOf<B> = B extends JsonBody<infer Schema> ? { body: z.input<Schema> } : object
type Input<P, Q, B> = ParamsOf<P> & QueryOf<Q> & BodyOf<B> & { signal?: AbortSignal }
type Shape = z.ZodObject | undefined
type JsonRoute<P extends Shape, Q extends Shape, B extends JsonBody | undefined, T extends z.ZodType> = Route<
  P,
  Q,
  B,
  JsonReply<T>
>

/** Calls an endpoint of the contract; throws an ApiError for every answer but its success. */
export async function call<
  P extends Shape,
  Q extends Shape,
  B extends JsonBody | undefined,
  T extends z.ZodType,
>(route: JsonRoute<P, Q, B, T>, ...[input]: Arguments<P, Q, B>): Promise<z.output<T>> {
  const response = await send(route, input)
  try {
    return (await response.json()) as z.output<T>
  } catch (error) {
    throw unreadable(response, error)
  }
}

type Arguments<P, Q, B> = object extends Input<P, Q, B> ? [input?: Input<P, Q, B>] : [input: Input<P, Q, B>]

/** The answer of an endpoint that gives bytes, its body not yet read. */
export function open<P extends Shape>(
  route: Route<P, undefined, undefined, RawReply>,
  input: Input<P, undefined, undefined>,
): Promise<Response> {
  return send(route, input)
}

interface Sent {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
}

async function send(route: Pick<Route, 'method' | 'path'>, input: Sent = {}): Promise<Response> {
  let response: Response
  try {
    response = await fetch(addressOf(route.path, input.params, input.query), {
      method: route.method,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(input.signal === undefined ? {} : { signal: input.signal }),
      ...(input.body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input.body) }),
    })
  } catch (error) {
    if (input.signal?.aborted === true) throw error
    throw new ApiError('NETWORK', 'Skilldock did not answer. It may be stopped or restarting.', {
      cause: error,
    })
  }
  if (!response.ok) throw await refusal(response)
  return response
}

/** The address of an endpoint with its parameters filled in; empty and absent query values are left out. */
export function addressOf(
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if ((typeof value === 'string' && value !== '') || typeof value === 'number')
      search.set(key, String(value))
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

async function refusal(response: Response): Promise<ApiError> {
  let body: ErrorResponse
  try {
    body = (await response.json()) as ErrorResponse
  } catch (error) {
    return unreadable(response, error)
  }
  return new ApiError(body.code, body.error, {
    status: response.status,
    issues: body.issues ?? [],
    requestId: response.headers.get('x-request-id'),
  })
}

function unreadable(response: Response, cause: unknown): ApiError {
  return new ApiError('UNREADABLE', `The answer could not be read (status ${response.status}).`, {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    cause,
  })
}
