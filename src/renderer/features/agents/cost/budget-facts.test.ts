import { expect, test } from 'vitest'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { barPlaces, barLabel, forecastOf, thresholdNote, formatUsed } from './budget-facts.ts'

const budget = (change: Partial<AgentBudget> = {}): AgentBudget => ({
  agent: 'report-builder',
  state: 'running',
  budgetCents: 40_000,
  spentCents: 31_840,
  usedPercent: 79.6,
  period: 'month',
  action: 'alert',
  alertAt: 80,
  lastReset: null,
  startsAt: '2026-11-01T00:00:00.000Z',
  endsAt: '2026-12-01T00:00:00.000Z',
  expectedCents: 47_600,
  mark: 'below',
  ...change,
})

test('the bar ends at 125% of the budget', () => {
  expect(barPlaces(budget({ usedPercent: 100 }))).toEqual({
    spent: 80,
    forecast: 95.2,
    threshold: 64,
    limit: 80,
  })
  expect(barPlaces(budget({ usedPercent: 400, expectedCents: 900_000 }))).toMatchObject({
    spent: 100,
    forecast: 100,
  })
})

test('unknown values are not drawn, and their labels say so', () => {
  const unknown = budget({ spentCents: null, usedPercent: null, expectedCents: null, alertAt: null })
  expect(barPlaces(unknown)).toEqual({ spent: null, forecast: null, threshold: null, limit: 80 })
  expect(barLabel(unknown)).toBe('usage unknown, alert threshold unknown')
  expect(formatUsed(null)).toBe('unknown')
  expect(forecastOf(unknown)).toEqual({ text: 'unknown', isOver: false })
  expect(barPlaces(budget({ budgetCents: 0, usedPercent: null })).forecast).toBeNull()
})

test('percentages are rounded down', () => {
  expect([0, 0.4, 79.6, 99.99, 100, 104.4].map(formatUsed)).toEqual([
    '0%',
    '<1%',
    '79%',
    '99%',
    '100%',
    '104%',
  ])
  expect(barLabel(budget())).toBe('79% used, alert threshold 80%, 119% forecast')
})

test('a forecast over the budget is marked, and a paused agent has no forecast', () => {
  expect(forecastOf(budget())).toEqual({ text: '$476.00', isOver: true })
  expect(forecastOf(budget({ expectedCents: 39_000 })).isOver).toBe(false)
  expect(forecastOf(budget({ expectedCents: null, state: 'paused' })).text).toBe('paused')
})

test('a budget over its alert threshold or limit says so', () => {
  expect(thresholdNote(budget())).toBeNull()
  expect(thresholdNote(budget({ mark: 'passed' }))).toBe('reached its alert threshold of 80%')
  expect(thresholdNote(budget({ mark: 'over' }))).toBe('over its budget')
})
