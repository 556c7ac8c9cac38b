import type { z } from 'zod'
import type { ErrorResponse } from '../../../shared/contracts/common.ts'
import type { JsonBody, RawReply, Route } from '../../../shared/route.ts'
import { addressOf } from '../../../shared/route-call.ts'
import type { Arguments, JsonRoute, Sent, Shape } from '../../../shared/route-call.ts'
import { isRemote } from '../app/remote.ts'
import { ApiError } from './api-error.ts'
import { sessionHeaders } from './session-key.ts'

/** Calls an endpoint of the contract; throws an ApiError unless it succeeds. */
export async function call<
  P extends Shape,
  Q extends Shape,
  B extends JsonBody | undefined,
  T extends z.ZodType,
>(route: JsonRoute<P, Q, B, T>, ...[input]: Arguments<P, Q, B>): Promise<z.output<T>> {
  const response = await send(route, input, 'no-store')
  try {
    return (await response.json()) as z.output<T>
  } catch (error) {
    throw unreadable(response, error)
  }
}

/** The response of an endpoint that returns bytes, with an unread body. */
export function open<P extends Shape, Q extends Shape>(
  route: Route<P, Q, undefined, RawReply>,
  ...[input]: Arguments<P, Q, undefined>
): Promise<Response> {
  return send(route, input, 'default')
}

async function send(
  route: Pick<Route, 'method' | 'path'>,
  input: Sent = {},
  cache: RequestCache,
): Promise<Response> {
  let response: Response
  try {
    response = await fetch(addressOf(route.path, input.params, input.query), {
      method: route.method,
      // Only the remote desk has a cookie. To the local one, browsers would send those of other ports.
      credentials: isRemote ? 'same-origin' : 'omit',
      cache,
      headers: {
        ...sessionHeaders(),
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(input.signal === undefined ? {} : { signal: input.signal }),
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    })
  } catch (error) {
    if (input.signal?.aborted === true) throw error
    throw new ApiError('NETWORK', "Can't reach Skilldock. It may be stopped or restarting.", {
      cause: error,
    })
  }
  if (!response.ok) throw await refusal(response)
  return response
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
  return new ApiError('UNREADABLE', `Unexpected response from the server (status ${response.status}).`, {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    cause,
  })
}
