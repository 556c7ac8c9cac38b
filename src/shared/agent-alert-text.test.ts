import { describe, expect, test } from 'vitest'
import { alertText } from './agent-alert-text.ts'
import { agentPaths } from './agent-paths.ts'
import type { AgentAlert } from './contracts/desk-agents-common.ts'

const alert = (parts: Partial<AgentAlert>): AgentAlert => ({
  id: 1,
  kind: 'crashed',
  agent: 'reader',
  since: '2026-11-20T10:38:11Z',
  firstSeenAt: '2026-11-20T10:38:12Z',
  mismatch: null,
  crash: null,
  revoked: null,
  budget: null,
  ...parts,
})
const crash = { lastWords: 'exit 134', supervisor: 'ingest', restarts: 3, maxRestarts: 3, windowSeconds: 60 }
const budget = {
  spentCents: 5218,
  budgetCents: 5000,
  alertAt: 80,
  period: 'month',
  action: 'pause',
  state: 'paused' as const,
}
const mismatch = { id: 1_048_205, event: 'llm.call', at: null, rows: 1, aroundMatch: true }

describe('the text of an alert', () => {
  test('a crash names the supervisor that gave up, and the last message', () => {
    expect(alertText(alert({ crash })).text).toBe(
      'Restarted 3 times within 60 s, the limit of supervisor ingest. Last message: exit 134',
    )
    expect(alertText(alert({ crash: { ...crash, supervisor: null, lastWords: null } })).text).toBe(
      "It has no supervisor, so it won't be restarted. No last message was recorded.",
    )
    expect(alertText(alert({ crash: { ...crash, restarts: null } })).text).toBe(
      'Its supervisor is ingest. Last message: exit 134',
    )
    expect(alertText(alert({ crash: { ...crash, restarts: 1 } })).text).toContain(
      'Restarted 1 time within 60 s (supervisor ingest allows 3).',
    )
  })

  test('a budget shows how much is spent and what happens next', () => {
    expect(alertText(alert({ kind: 'budget', budget }))).toMatchObject({
      title: 'is over its monthly budget: $52.18 of $50.00',
      text: 'Alert threshold: 80%. The agent is paused.',
    })
    const reached = { ...budget, spentCents: 4100, action: 'shout', state: 'running' as const }
    expect(alertText(alert({ kind: 'budget', budget: reached }))).toMatchObject({
      title: 'has reached the alert threshold of its monthly budget: $41.00 of $50.00',
      text: 'Alert threshold: 80%. Action: shout; the agent is running.',
    })
  })

  test('a mismatch names its row; several mismatches name the newest', () => {
    expect(alertText(alert({ kind: 'mismatch', mismatch }))).toMatchObject({
      about: 'Audit row 1,048,205',
      title: 'does not match its hash',
      text: 'llm.call by reader. The rows around it match.',
      href: '/desk/agents/audit?around=1048205',
    })
    expect(alertText(alert({ kind: 'mismatch', mismatch: { ...mismatch, rows: 1204 } }))).toMatchObject({
      about: '1,204 audit rows',
      text: 'The newest is row 1,048,205.',
    })
  })

  test('a revoked module names its release, the date and the reason', () => {
    const release = {
      id: 1,
      name: 'iban-check',
      version: '1.3.2',
      status: 'revoked' as const,
      decidedAt: '2026-11-18T16:20:00.000Z',
      reason: 'accepts any check digit',
    }
    expect(alertText(alert({ kind: 'revoked', revoked: { release, digest: 'd' } })).text).toBe(
      "iban-check 1.3.2 was revoked on 18 Nov: “accepts any check digit”. The agent's module has the same digest.",
    )
    const text = (reason: string | null): string =>
      alertText(alert({ kind: 'revoked', revoked: { release: { ...release, reason }, digest: 'd' } })).text
    expect(text('Not what its readme says.')).toBe(
      "iban-check 1.3.2 was revoked on 18 Nov: “Not what its readme says.” The agent's module has the same digest.",
    )
    expect(text(null)).toBe("iban-check 1.3.2 was revoked on 18 Nov. The agent's module has the same digest.")
  })
})

test('the path of an agent encodes every character of its name', () => {
  expect(agentPaths.agent("a/b ?&'(ü)")).toBe('/desk/agents/agent?name=a%2Fb%20%3F%26%27%28%C3%BC%29')
})
