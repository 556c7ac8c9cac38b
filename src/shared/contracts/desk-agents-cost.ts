import { z } from 'zod'
import { reply } from '../route.ts'
import {
  agentNameSchema,
  agentPeriodQuery,
  agentRoute,
  agentStampSchema,
  agentStates,
  agentTimeSchema,
  countedSchema,
  expectedSchema,
  fileRoutes,
  spendSchema,
  tableRoutes,
  record,
} from './desk-agents-common.ts'
import type { Spend } from './desk-agents-common.ts'
import { instantSchema } from './desk-common.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** How many models or agents a chart tells apart; the rest is `others`. */
export const costSeries = 4

export const spendTableRowSchema = record('SpendRow', {
  /** The model or agent; null: calls that name none. */
  name: z.string().nullable(),
  spend: spendSchema,
  /** Null where no call tells. */
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
})
export type SpendRow = z.infer<typeof spendTableRowSchema>

/** Spend over time, by model or by agent. */
export const spendChartSchema = record('SpendChart', {
  by: z.enum(['model', 'agent']),
  bucket: z.enum(['hour', 'day']),
  /** The largest first, at most four; then `others` where there are more. */
  series: z.array(z.strictObject({ name: z.string().nullable(), others: z.boolean() })),
  buckets: z.array(
    z.strictObject({
      from: instantSchema,
      to: instantSchema,
      /** Cents of each series, in their order; null in a bucket where calls are known and no price is. */
      cents: z.array(z.number().nullable()),
      spend: spendSchema,
      /** What is expected in it: all of a bucket to come, the rest of the present one; null where it is over. */
      expectedCents: z.number().nullable(),
    }),
  ),
  /** The present moment, where it is in the chart. */
  now: instantSchema.nullable(),
})
export type SpendChart = z.infer<typeof spendChartSchema>

/** A row of the files: what one model or agent has cost in one bucket. */
export interface CostExportRow extends Spend {
  from: string
  to: string
  name: string | null
  tokens_in: number | null
  tokens_out: number | null
}

export const agentCostSchema = record('AgentCost', {
  stamp: agentStampSchema,
  time: agentTimeSchema,
  /** Null while rows are counted the first time. */
  spent: spendSchema.nullable(),
  /** By the end of `time`; null where that is over, or too little is known. */
  expected: expectedSchema.nullable(),
  /** All budgets scaled to the length of `time`, by days (a month is 30.4); null where there is none. */
  budgetsCents: z.number().nullable(),
  /** Calls without price and their models, most calls first, at most ten. */
  unpriced: z.strictObject({
    calls: z.int(),
    tokensIn: z.int().nullable(),
    tokensOut: z.int().nullable(),
    models: z.array(z.string().nullable()),
  }),
  chart: spendChartSchema.nullable(),
  /** Most spent first, at most 50, and how many there are. */
  byModel: z.strictObject({ items: z.array(spendTableRowSchema), total: z.int() }),
  byAgent: z.strictObject({ items: z.array(spendTableRowSchema), total: z.int() }),
  /** The whole of it, in the same columns. */
  together: spendTableRowSchema.nullable(),
})
export type AgentCost = z.infer<typeof agentCostSchema>

/** An agent's budget as its runtime keeps it. */
export const agentBudgetSchema = record('AgentBudget', {
  agent: z.string(),
  /** Of the agent; null where there is no such agent. */
  state: z.enum(agentStates).nullable(),
  budgetCents: z.number().nullable(),
  spentCents: z.number().nullable(),
  /** Percent of the budget; null where either is unknown or the budget is 0. */
  usedPercent: z.number().nullable(),
  /** Day, week or month; any other word as it stands. */
  period: z.string(),
  /** Alert, throttle or pause; any other word as it stands. */
  action: z.string(),
  /** Percent. */
  alertAt: z.number().nullable(),
  lastReset: instantSchema.nullable(),
  /** Of the period that `spentCents` is about: from the last reset, else by the calendar; null for an unknown period. */
  startsAt: instantSchema.nullable(),
  endsAt: instantSchema.nullable(),
  /** By `endsAt`; null where too little is known, and for a paused or stopped agent, which spends nothing. */
  expectedCents: z.number().nullable(),
  mark: z.enum(['below', 'passed', 'over', 'unknown']),
})
export type AgentBudget = z.infer<typeof agentBudgetSchema>

export const costEventSchema = record('CostEvent', {
  id: z.string(),
  at: instantSchema.nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
  cents: z.number().nullable(),
})
export type CostEvent = z.infer<typeof costEventSchema>

const costFilter = z.object({
  ...agentPeriodQuery,
  agent: agentNameSchema.optional(),
  by: z.enum(['model', 'agent']).default('model').describe('What the chart groups by.'),
})
const eventFilter = z.object({ ...agentPeriodQuery, agent: agentNameSchema.optional() })
const budgetFilter = z.object({
  agent: agentNameSchema.optional(),
  marked: z.stringbool().default(false).describe('Only budgets over their alert threshold.'),
})

export const budgetTable = tableRoutes('budgets', {
  list: 'budgets, closest to their limit first',
  files: 'budgets',
  filter: budgetFilter,
  row: agentBudgetSchema,
  reply: 'A page and the total number of rows',
})

export const eventTable = tableRoutes('cost-events', {
  list: 'cost events, newest first',
  files: 'cost events',
  filter: eventFilter,
  row: costEventSchema,
  total: countedSchema,
  reply: 'A page and the total number of rows',
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
