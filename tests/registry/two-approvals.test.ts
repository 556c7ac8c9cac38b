import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QueueRow } from '../../src/shared/contracts/desk-review.ts'
import type { LostDecision } from '../../src/shared/contracts/desk-decisions.ts'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import type { ReviewStatement } from '../../src/shared/contracts/evidence.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { decideAtDesk, getDeskRelease, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call, review } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let rita: DeskClient
let rex: DeskClient
let rexToken: string
beforeAll(async () => {
  app = await startTestRegistry({ config: { undoMs: 0, 'review.approvals': 2 } })
  rexToken = await app.token({ subject: 'rex', name: 'Rex', role: 'reviewer' })
  rita = await signIn(app, 'rita')
  rex = await signIn(app, 'rex')
})
afterAll(() => app.stop())

const approve = (id: number, token: string) => review(app.registry, token, id, 'approved', 'Read and ran it.')
const set = async (changes: object): Promise<void> => {
  expect(await rita.send('PUT', '/settings', { changes })).toMatchObject({ status: 200 })
}
const statementOf = async (name: string): Promise<ReviewStatement> =>
  (await call<ReviewStatement>(`${app.registry}/api/skilldock/skills/${name}/1.0.0/review`)).body
const verify = async (): Promise<void> => {
  expect(await skilldockHere(app.folder, ['verify'])).toMatchObject({ status: 0 })
}

test('the first approval answers 200 and is shown; the release stays pending in every list until the second', async () => {
  const id = await app.submit({ name: 'two-eyes' })
  expect(await approve(id, rexToken)).toMatchObject({ status: 200, body: { success: true } })

  const list = async (path: string, token: string) =>
    (await call<List>(`${app.api}/${path}`, { token })).body.items
  expect(await list('review?status=pending', rexToken)).toContainEqual(
    expect.objectContaining({ id, status: 'pending' }),
  )
  expect(await list('mine', app.developer)).toContainEqual(
    expect.objectContaining({ id, status: 'pending', reviewReason: null }),
  )
  expect((await call(`${app.api}/skills/two-eyes`)).status).toBe(404)
  expect((await call(`${app.registry}/api/skilldock/skills/two-eyes/1.0.0/review`)).status).toBe(404)
  const own = await call<{ items: OwnRelease[] }>(`${app.registry}/api/skilldock/mine`, {
    token: app.developer,
  })
  expect(own.body.items[0]).toMatchObject({ id, firstApproval: { approvedBy: 'Rex' } })
  expect((await rita.get<{ items: QueueRow[] }>('/releases')).body.items).toContainEqual(
    expect.objectContaining({ id, status: 'pending', firstApprovedBy: 'Rex' }),
  )
  expect(await getDeskRelease(rita, id)).toMatchObject({
    status: 'pending',
    approvalsNeeded: 2,
    firstApproval: { approvedBy: 'Rex', notes: 'Read and ran it.' },
    history: [],
    events: [{ kind: 'first-approved', person: 'Rex', why: 'Read and ran it.' }, { kind: 'submitted' }],
  })

  expect((await approve(id, app.administrator)).status).toBe(200)
  expect((await call(`${app.api}/skills/two-eyes`)).status).toBe(200)
  expect(await statementOf('two-eyes')).toMatchObject({
    decidedBy: expect.stringMatching(/^Reviewer/),
    selfApproved: false,
    firstApproval: { approvedBy: 'Rex', notes: 'Read and ran it.', evidence: null },
  })
  const page = await fetch(`${app.registry}/skills/two-eyes/1.0.0`, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('First approved by Rex: “Read and ran it.”')
  await verify()
})

test('the same person cannot approve twice, through the API or the desk', async () => {
  const id = await app.submit({ name: 'one-person' })
  expect((await decideAtDesk(rex, id, 'approved')).status).toBe(200)
  const again = await approve(id, rexToken)
  expect(again).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  expect((await decideAtDesk(rex, id, 'approved')).body.error).toMatch(
    /^You have already approved one-person 1\.0\.0\. Another reviewer must/,
  )
  expect((await getDeskRelease(rita, id)).status).toBe('pending')
  expect((await decideAtDesk(rita, id, 'approved')).status).toBe(200)
  expect((await statementOf('one-person')).firstApproval?.evidence).not.toBeNull()
})

test('the first approval can be withdrawn by its author only, and made again', async () => {
  const id = await app.submit({ name: 'second-thoughts' })
  const withdraw = (client: DeskClient) => client.send('DELETE', `/review/${id}/first-approval`)
  expect(await withdraw(rex)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  await approve(id, rexToken)
  expect(await withdraw(rita)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(await withdraw(rex)).toMatchObject({ status: 200 })
  const { firstApproval, events } = await getDeskRelease(rita, id)
  expect(firstApproval).toBeNull()
  expect(events.map(({ kind }) => kind)).toEqual(['approval-withdrawn', 'first-approved', 'submitted'])
  expect((await approve(id, app.administrator)).status).toBe(200)
  expect(await getDeskRelease(rex, id)).toMatchObject({
    status: 'pending',
    firstApproval: { approvedBy: 'rita' },
  })
  expect((await approve(id, rexToken)).status).toBe(200)
  expect((await withdraw(rita)).status).toBe(409)
  await verify()
})

test('the first approval can be withdrawn with the token of its author, and of no one else', async () => {
  const id = await app.submit({ name: 'by-token' })
  await approve(id, rexToken)
  const withdraw = (token: string) =>
    call<{ code?: string }>(`${app.registry}/api/skilldock/review/${id}/first-approval`, {
      token,
      method: 'DELETE',
    })
  const publishing = await app.token({ subject: 'rex', scope: 'publish' })
  expect(await withdraw(publishing)).toMatchObject({ status: 403, body: { code: 'SCOPE_INSUFFICIENT' } })
  for (const token of [app.developer, app.administrator]) {
    expect(await withdraw(token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  }
  expect((await getDeskRelease(rita, id)).firstApproval).not.toBeNull()
  expect(await withdraw(rexToken)).toMatchObject({ status: 200, body: { success: true } })
  expect((await getDeskRelease(rita, id)).firstApproval).toBeNull()
  expect(await withdraw(rexToken)).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
})

test('a rejection by anyone decides at once', async () => {
  const id = await app.submit({ name: 'not-good' })
  await approve(id, rexToken)
  expect((await review(app.registry, app.administrator, id, 'rejected', 'It is not good.')).status).toBe(200)
  expect(await getDeskRelease(rita, id)).toMatchObject({
    status: 'rejected',
    firstApproval: { approvedBy: 'Rex' },
  })
})

test('a changed setting changes nothing that was decided, and a first approval waits until someone approves', async () => {
  const approved = await app.submit({ name: 'before-change' })
  await approve(approved, rexToken)
  await approve(approved, app.administrator)
  const waiting = await app.submit({ name: 'waits' })
  await approve(waiting, rexToken)
  await set({ 'review.approvals': 1 })
  try {
    expect((await getDeskRelease(rita, approved)).status).toBe('approved')
    expect(await getDeskRelease(rita, waiting)).toMatchObject({ status: 'pending', approvalsNeeded: 1 })
    const single = await app.submit({ name: 'single' })
    expect((await approve(single, rexToken)).status).toBe(200)
    expect((await approve(waiting, rexToken)).status).toBe(200)
    expect((await statementOf('waits')).firstApproval?.approvedBy).toBe('Rex')
    await set({ 'review.approvals': 2 })
    expect((await getDeskRelease(rita, single)).status).toBe('approved')
    expect(await statementOf('single')).not.toHaveProperty('firstApproval')
  } finally {
    await set({ 'review.approvals': 2 })
  }
})

test('a publisher who approves is shown as self-approved, first or second', async () => {
  for (const [name, ...tokens] of [
    ['own-first', app.administrator, rexToken],
    ['own-second', rexToken, app.administrator],
  ] as const) {
    const id = await app.submit({ name }, app.administrator)
    for (const token of tokens) expect((await approve(id, token)).status).toBe(200)
    expect((await statementOf(name)).selfApproved, name).toBe(true)
  }
})

test('within the undo window a first approval can be undone, and it is not carried out as a second one of the same person', async () => {
  const id = await app.submit({ name: 'held-first' })
  await set({ undoMs: 60_000 })
  try {
    expect((await decideAtDesk(rex, id, 'approved')).body.held).toMatchObject({ action: 'approved' })
    expect((await rex.send('DELETE', `/releases/${id}/decision`)).status).toBe(200)
    expect((await getDeskRelease(rita, id)).firstApproval).toBeNull()

    await approve(id, rexToken)
    await set({ 'review.approvals': 1, undoMs: 500 })
    expect((await decideAtDesk(rex, id, 'approved')).status).toBe(200)
    await set({ 'review.approvals': 2 })
    const lost = await until('the second approval is not carried out', async () => {
      const { items } = (await rex.get<{ items: LostDecision[] }>('/lost-decisions')).body
      return items.find(({ releaseId }) => releaseId === id) ?? null
    })
    expect(lost.cause).toBe('barred')
    expect(await getDeskRelease(rita, id)).toMatchObject({
      status: 'pending',
      firstApproval: { approvedBy: 'Rex' },
    })
  } finally {
    await set({ undoMs: 0, 'review.approvals': 2 })
  }
})
