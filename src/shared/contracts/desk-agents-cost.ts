import { z } from 'zod'
import { reply } from '../route.ts'
import {
  agentNameSchema,
  agentPeriodQuery,
  agentRoute,
  agentStampSchema,
  agentStates,
  agentTimeSchema,
  expectedSchema,
  fileRoutes,
  spendSchema,
  tableRoutes,
  record,
} from './desk-agents-common.ts'
import { instantSchema } from './desk-common.ts'
import { stored } from './agent-columns.ts'

/** Number of models or agents with their own series in a chart; the rest is `others`. */
export const costSeries = 4

const spendTableRowSchema = record('SpendRow', {
  /** The model or agent; null for calls that name none. */
  name: z.string().nullable(),
  spend: spendSchema,
  /** Null if no call reports them. */
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
})
export type SpendRow = z.infer<typeof spendTableRowSchema>

/** Spend over time, by model or by agent. */
export const spendChartSchema = record('SpendChart', {
  by: z.enum(['model', 'agent']),
  bucket: z.enum(['hour', 'day']),
  /** The largest first, at most four; then `others` if there are more. */
  series: z.array(z.strictObject({ name: z.string().nullable(), others: z.boolean() })),
  buckets: z.array(
    z.strictObject({
      ...agentTimeSchema.shape,
      /** Cents of each series, in the same order; null in a bucket with calls but no price. */
      cents: z.array(z.number().nullable()),
      spend: spendSchema,
      /** Forecast: for the whole of a future bucket, or the rest of the current one; null for past buckets. */
      expectedCents: z.number().nullable(),
    }),
  ),
  /** The current time, if the chart includes it. */
  now: instantSchema.nullable(),
})
export type SpendChart = z.infer<typeof spendChartSchema>

const agentCostSchema = record('AgentCost', {
  stamp: agentStampSchema,
  time: agentTimeSchema,
  /** Null during the first count. */
  spent: spendSchema.nullable(),
  /** By the end of `time`; null if that is over or there is too little data. */
  expected: expectedSchema.nullable(),
  /** All budgets scaled to the length of `time` in days (a month is 30.4); null without budgets. */
  budgetsCents: z.number().nullable(),
  /** Unpriced calls and their models, most calls first, at most ten. */
  unpriced: z.strictObject({
    calls: z.int(),
    tokensIn: z.int().nullable(),
    tokensOut: z.int().nullable(),
    models: z.array(z.string().nullable()),
  }),
  chart: spendChartSchema.nullable(),
  /** The models or agents, highest spending first, at most 50, and their total number. */
  groups: z.strictObject({ items: z.array(spendTableRowSchema), total: z.int() }),
  /** Total, in the same columns. */
  together: spendTableRowSchema.nullable(),
})
export type AgentCost = z.infer<typeof agentCostSchema>

/** An agent's budget as its runtime stores it. */
export const agentBudgetSchema = record('AgentBudget', {
  agent: stored.name('agent_name'),
  /** State of the agent; null if there is no such agent. */
  state: z.enum(agentStates).nullable(),
  budgetCents: stored.number('budget_cents'),
  spentCents: stored.number('spent_cents'),
  /** Percent of the budget; null if either is unknown or the budget is 0. */
  usedPercent: z.number().nullable(),
  /** Day, week or month; any other word unchanged. */
  period: stored.name('period'),
  /** Alert, throttle or pause; any other word unchanged. */
  action: stored.name('action'),
  /** Percent. */
  alertAt: stored.number('alert_at'),
  lastReset: instantSchema.nullable(),
  /**
   * Start of the period that `spentCents` covers: the last reset, otherwise by the calendar; null for an unknown
   * period.
   */
  startsAt: instantSchema.nullable(),
  endsAt: instantSchema.nullable(),
  /** By `endsAt`; null if there is too little data, and for a paused or stopped agent, which spends nothing. */
  expectedCents: z.number().nullable(),
  mark: z.enum(['below', 'passed', 'over', 'unknown']),
})
export type AgentBudget = z.infer<typeof agentBudgetSchema>

export const costEventSchema = record('CostEvent', {
  id: stored.name('id'),
  at: stored.time('created_at'),
  agent: stored.text('agent_name'),
  model: stored.text('model'),
  tokensIn: stored.whole('tokens_in'),
  tokensOut: stored.whole('tokens_out'),
  cents: stored.number('amount_cents'),
})
export type CostEvent = z.infer<typeof costEventSchema>

const eventFilter = z.object({ ...agentPeriodQuery, agent: agentNameSchema.optional() })
const costFilter = eventFilter.extend({
  by: z.enum(['model', 'agent']).default('model').describe('What the chart and the table group by.'),
})
const budgetFilter = z.object({
  agent: agentNameSchema.optional(),
  marked: z.stringbool().default(false).describe('Only budgets that have reached their alert threshold.'),
})

export const budgetTable = tableRoutes('budgets', {
  rows: 'budgets',
  order: 'closest to their limit first',
  filter: budgetFilter,
  row: agentBudgetSchema,
  more: { total: z.int() },
})

export const eventTable = tableRoutes('cost-events', {
  rows: 'cost events',
  order: 'newest first',
  filter: eventFilter,
  row: costEventSchema,
  /** Null during the first count. */
  more: { total: z.int().nullable() },
})

export const spendFiles = fileRoutes('cost', 'spending, one row per bucket and model or agent', costFilter)

export const deskAgentCostRoutes = {
  getAgentCost: agentRoute(
    'cost',
    'Get spending over a period, with its breakdown and forecast',
    reply(agentCostSchema, 'Totals, chart and tables'),
    costFilter,
  ),
  listAgentBudgets: budgetTable.list,
  listCostEvents: eventTable.list,
  exportAgentCostCsv: spendFiles.csv,
  exportAgentCostJson: spendFiles.json,
  exportAgentBudgetsCsv: budgetTable.csv,
  exportAgentBudgetsJson: budgetTable.json,
  exportCostEventsCsv: eventTable.csv,
  exportCostEventsJson: eventTable.json,
}
