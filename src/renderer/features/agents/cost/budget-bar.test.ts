import { expect, test } from 'vitest'
import type { AgentBudget } from '../../../../shared/contracts/desk-agents-cost.ts'
import { barPlaces, barLabel, forecastOf, thresholdNote, formatUsed } from './budget-bar.ts'

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

test('the bar ends at 125 % of the budget', () => {
  expect(barPlaces(budget({ usedPercent: 100 }))).toEqual({ spent: 80, expected: 95.2, mark: 64, limit: 80 })
  expect(barPlaces(budget({ usedPercent: 400, expectedCents: 900_000 }))).toMatchObject({
    spent: 100,
    expected: 100,
  })
})

test('what is unknown is not drawn and not said to be nothing', () => {
  const unknown = budget({ spentCents: null, usedPercent: null, expectedCents: null, alertAt: null })
  expect(barPlaces(unknown)).toEqual({ spent: null, expected: null, mark: null, limit: 80 })
  expect(barLabel(unknown)).toBe('used: unknown, no known alert mark')
  expect(formatUsed(null)).toBe('unknown')
  expect(forecastOf(unknown)).toEqual({ text: 'unknown', isOver: false })
  expect(barPlaces(budget({ budgetCents: 0, usedPercent: null })).expected).toBeNull()
})

test('a percent counts when it is reached', () => {
  expect([0, 0.4, 79.6, 99.99, 100, 104.4].map(formatUsed)).toEqual([
    '0 %',
    '<1 %',
    '79 %',
    '99 %',
    '100 %',
    '104 %',
  ])
  expect(barLabel(budget())).toBe('79 % used, alert mark at 80 %, 119 % expected')
})

test('a forecast over the budget is told, and who rests is not expected to spend', () => {
  expect(forecastOf(budget())).toEqual({ text: '$476.00', isOver: true })
  expect(forecastOf(budget({ expectedCents: 39_000 })).isOver).toBe(false)
  expect(forecastOf(budget({ expectedCents: null, state: 'paused' })).text).toBe('paused')
})

test('a mark that was passed is told in words', () => {
  expect(thresholdNote(budget())).toBeNull()
  expect(thresholdNote(budget({ mark: 'passed' }))).toBe('passed its mark of 80 %')
  expect(thresholdNote(budget({ mark: 'over' }))).toBe('over its budget')
})
