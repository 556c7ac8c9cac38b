import { handlerTypes } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { HandlerType } from '../../../../shared/contracts/desk-agents-tables.ts'
import { periodParams, periodQuery, readPeriod } from '../cost/period.ts'
import type { ViewPeriod } from '../cost/period.ts'
import { pathWith } from '../view-address.ts'

/** What the view of the broker shows; it stands in the address. Type and handler choose among the decisions. */
export interface BrokerFilter {
  time: ViewPeriod
  type: HandlerType | null
  handler: string | null
}

export const brokerPeriods = ['hour', 'today', '7 days', '30 days', 'range'] as const
const usual = 'today'

export function readBrokerFilter(search: string): BrokerFilter {
  const params = new URLSearchParams(search)
  return {
    time: readPeriod(search, brokerPeriods, usual),
    type: handlerTypes.find((type) => type === params.get('type')) ?? null,
    handler: params.get('handler')?.slice(0, 500) ?? null,
  }
}

export function brokerPath({ time, type, handler }: BrokerFilter): string {
  return pathWith('/agents/broker', { ...periodParams(time, usual), type, handler })
}

/** The same for the server: figures and charts; decisions. */
export function brokerQuery({ time }: BrokerFilter) {
  return periodQuery(time)
}

export function routeQuery({ time, type, handler }: BrokerFilter) {
  return {
    ...periodQuery(time),
    ...(type === null ? {} : { type }),
    ...(handler === null ? {} : { handler }),
  }
}
