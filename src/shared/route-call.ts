import type { z } from 'zod'
import type { JsonBody, JsonReply, Route } from './route.ts'

// What a client needs to call a declared endpoint, used by the desk and the publish client.

type Text<T> = { [Key in keyof T]: T[Key] | number | undefined }
type ParamsOf<P> = P extends z.ZodObject ? { params: Text<z.input<P>> } : object
type QueryOf<Q> = Q extends z.ZodObject ? { query?: Text<z.input<Q>> } : object
type BodyOf<B> = B extends JsonBody<infer Schema> ? { body: z.input<Schema> } : object
export type Input<P, Q, B> = ParamsOf<P> & QueryOf<Q> & BodyOf<B> & { signal?: AbortSignal }
export type Shape = z.ZodObject | undefined
export type JsonRoute<
  P extends Shape,
  Q extends Shape,
  B extends JsonBody | undefined,
  T extends z.ZodType,
> = Route<P, Q, B, JsonReply<T>>

/** The arguments of a call; none if the endpoint takes no input. */
export type Arguments<P, Q, B> =
  object extends Input<P, Q, B> ? [input?: Input<P, Q, B>] : [input: Input<P, Q, B>]

/** The input without its types. */
export interface Sent {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
}

/** The address of an endpoint with its parameters inserted. Empty and missing query values are omitted. */
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
