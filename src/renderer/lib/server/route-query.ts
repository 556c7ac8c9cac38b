import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { QueryKey } from '@tanstack/react-query'
import type { z } from 'zod'
import type { JsonBody } from '../../../shared/route.ts'
import type { Arguments, Input, JsonRoute, Shape } from '../../../shared/route-call.ts'
import { call } from './client.ts'

/** The query that reads an endpoint with this input. */
export function routeQuery<
  P extends Shape,
  Q extends Shape,
  B extends JsonBody | undefined,
  T extends z.ZodType,
>(queryKey: QueryKey, route: JsonRoute<P, Q, B, T>, ...[input]: Arguments<P, Q, B>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => call(route, { ...input, signal } as Input<P, Q, B>),
  })
}

/** The query that reads a list page by page, as far as is wanted. */
export function offsetQuery<T extends z.ZodType<{ items: unknown[]; total: number }>>(
  queryKey: QueryKey,
  route: JsonRoute<undefined, z.ZodObject<{ offset: z.ZodType }>, undefined, T>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => call(route, { query: { offset: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, page) => sum + page.items.length, 0)
      return last.items.length > 0 && read < last.total ? read : undefined
    },
  })
}

/** The function of a mutation that sends its variables as the body to an endpoint. */
export const withBody =
  <P extends Shape, B extends JsonBody, T extends z.ZodType>(
    route: JsonRoute<P, undefined, B, T>,
    ...[params]: P extends z.ZodObject ? [params: Input<P, undefined, undefined>['params']] : []
  ) =>
  (body: z.input<B['schema']>): Promise<z.output<NoInfer<T>>> =>
    call(route, { params, body } as unknown as Input<P, undefined, B>)
