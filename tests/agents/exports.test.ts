import { afterAll, beforeAll, expect, test } from 'vitest'
import { addManyRows, makeAgentProject, withProject } from '../support/agents/agent-project.ts'
import {
  startDeskAgents,
  storedTime,
  writeAgent,
  writeAudit,
  writeCost,
} from '../support/agents/desk-agents.ts'
import type { DeskAgents } from '../support/agents/desk-agents.ts'

let app: DeskAgents
beforeAll(async () => {
  app = await startDeskAgents()
  makeAgentProject(app.project.folder, {
    fill: (database) => addManyRows(database, { agents: 2500, audit: 5000 }),
  })
  withProject(app.project, (database) => {
    writeAgent(database, '=cmd()', { source: 'a,"b"' })
    writeAudit(database, { agent: '=cmd()', detail: 'two\nlines', hash: '0' })
    writeCost(database, { agent: '=cmd()', cents: null, at: storedTime() })
  })
})
afterAll(() => app.stop())

const lines = async (path: string): Promise<string[]> => {
  const response = await app.rita.open(`/agents/${path}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  return (await response.text()).split('\r\n').slice(0, -1)
}
const rows = async <T>(path: string): Promise<T[]> =>
  (await app.rita.open(`/agents/${path}`)).json() as Promise<T[]>

test('an export contains every matching row, not just one page', async () => {
  expect(await lines('list.csv')).toHaveLength(1 + 2501)
  expect(await rows('list.json?state=crashed')).toHaveLength(625)
  expect(await lines('audit.csv')).toHaveLength(1 + 5001)
  const one = await rows<{ id: number; agent: string }>('audit.json?agent=agent-00007')
  expect(one.map(({ id }) => id)).toEqual([2507, 7])
  expect(await rows('trust.json?sort=score')).toHaveLength(2500)
  expect(await rows('budgets.json')).toHaveLength(2500)
  expect(await rows('edge.json')).toHaveLength(2500)
  expect(await rows('routes.json?period=range&from=2026-10-01&to=2026-10-02')).toHaveLength(2500)
  expect(await rows('supervisors.json')).toHaveLength(250)
  expect(await lines('supervisors.csv')).toHaveLength(1 + 2500)
})

test('cells are quoted when necessary and are never formulas', async () => {
  const found = (await lines('list.csv?q=cmd'))[1]
  expect(found).toMatch(/^'=cmd\(\),running,running,,"a,""b""",/)
  expect((await lines('audit.csv?agent=%3Dcmd()')).slice(1).join('\r\n')).toContain('"two\nlines",0,no,')
})

test('an unknown amount is an empty cell, and unpriced calls are counted', async () => {
  const [head, row] = await lines('cost.csv?period=today')
  expect(head).toBe('from,to,model,calls,unpriced calls,cents,tokens in,tokens out')
  expect(row).toMatch(/,large,1,1,,10,5$/)
  expect(await rows('cost-events.json')).toMatchObject([{ agent: '=cmd()', cents: null }])
})

test('the file name says what the file contains', async () => {
  const response = await app.rita.open('/agents/trust.csv')
  await response.body?.cancel()
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="skilldock-agents-trust-\d{4}-\d\d-\d\d\.csv"$/,
  )
})
