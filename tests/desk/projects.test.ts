import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeskProject, ProjectRow } from '../../src/shared/contracts/desk-projects.ts'
import {
  approvedProject,
  decideProject,
  expected,
  insertImage,
  startTestContent,
  submitProject,
} from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { openEvents, signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'

let app: TestContent
let desk: DeskClient

beforeAll(async () => {
  app = await startTestContent()
  desk = app.desk
})
afterAll(() => app.stop())

interface Problem {
  code: string
  issues?: { path: string }[]
}
interface List {
  items: ProjectRow[]
  total: number
  counts: Record<string, number>
  submitted: number
}

const getProject = async (id: number): Promise<DeskProject> =>
  expected(await desk.get<DeskProject>(`/projects/${id}`))
const list = async (query = '', by = desk): Promise<List> => expected(await by.get<List>(`/projects${query}`))
const isPublic = async (slug: string): Promise<boolean> =>
  (await fetch(`${app.registry}/docs-markdown/showcase/${slug}.md`)).status === 200
const decision = (id: number, body: unknown) =>
  desk.send<DeskProject & Problem>('POST', `/projects/${id}/decision`, body)
const code = ({ status, body }: { status: number; body: unknown }): [number, string] => [
  status,
  (body as Problem).code,
]

describe('a submitted project', () => {
  test('is pending, gets a slug from its title, and is announced to the desks', async () => {
    const stream = await openEvents(desk)
    const { content } = await stream.next()
    const sha256 = await insertImage(app, 'submitted')
    const id = await submitProject(app, { title: 'Über: Größe!', pictures: [{ sha256, alt: 'It' }] })
    expect((await stream.next()).content).toBeGreaterThan(content)
    stream.close()
    expect(await getProject(id)).toMatchObject({
      status: 'pending',
      slug: 'uber-grosse',
      featured: false,
      decidedAt: null,
      reason: null,
      url: null,
      imageCount: 1,
      images: [{ sha256 }],
    })
    expect(await isPublic('uber-grosse')).toBe(false)
  })

  test('gets a different slug if a public project has the same one', async () => {
    await approvedProject(app, { title: 'Same name' })
    expect((await getProject(await submitProject(app, { title: 'Same name' }))).slug).toBe('same-name-2')
    expect((await getProject(await submitProject(app, { title: 'Submit' }))).slug).toBe('submit-2')
    expect((await getProject(await submitProject(app, { title: '日本語' }))).slug).toBe('project')
  })
})

describe('a decision', () => {
  test('to approve makes the project public immediately', async () => {
    const id = await submitProject(app, { title: 'Good one' })
    const project = await decideProject(desk, id)
    expect(project).toMatchObject({
      status: 'approved',
      decidedBy: 'rita',
      reason: 'It fits.',
      url: `${app.registry}/showcase/good-one`,
    })
    expect(await isPublic('good-one')).toBe(true)
    expect(code(await decision(id, { action: 'approved' }))).toEqual([409, 'INVALID_TRANSITION'])
  })

  test('to reject requires a reason, can follow an approval, and can be changed', async () => {
    const id = await submitProject(app, { title: 'Not here' })
    const without = await decision(id, { action: 'rejected', reason: '  ' })
    expect([...code(without), without.body.issues?.[0]?.path]).toEqual([400, 'VALIDATION_FAILED', 'reason'])
    expect(await decideProject(desk, id, 'rejected', 'Advertising.')).toMatchObject({
      status: 'rejected',
      reason: 'Advertising.',
    })
    await decideProject(desk, id, 'approved')
    expect(await isPublic('not-here')).toBe(true)
    await decideProject(desk, id, 'rejected', 'Its page no longer exists.')
    expect(await isPublic('not-here')).toBe(false)
  })

  test('to approve is refused while another public project has the slug', async () => {
    const ids = [await submitProject(app, { title: 'Twins' }), await submitProject(app, { title: 'Twins' })]
    await decideProject(desk, ids[0] ?? 0)
    const second = ids[1] ?? 0
    expect(code(await decision(second, { action: 'approved' }))).toEqual([409, 'SLUG_TAKEN'])
    const { revision, content } = await getProject(second)
    expected(
      await desk.send('PUT', `/projects/${second}`, { revision, content: { ...content, slug: 'twin-two' } }),
    )
    expect((await decideProject(desk, second)).status).toBe('approved')
  })

  test('requires an administrator, like everything else', async () => {
    const id = await submitProject(app)
    await app.token({ subject: 'alice' })
    const alice = await signIn(app, 'alice')
    expect((await alice.get('/projects')).status).toBe(403)
    expect((await alice.send('POST', `/projects/${id}/decision`, { action: 'approved' })).status).toBe(403)
    expect((await desk.get('/projects/999999')).status).toBe(404)
  })
})

describe('deleting', () => {
  const remove = (id: number, by = desk) => by.send<Problem>('DELETE', `/projects/${id}`)

  test('a rejected project releases its images and notifies the desks', async () => {
    const [own, shared] = [await insertImage(app, 'of one'), await insertImage(app, 'of two')]
    const pictures = [own, shared].map((sha256) => ({ sha256, alt: 'It' }))
    const id = await submitProject(app, { title: 'Goes', pictures })
    const other = await submitProject(app, { title: 'Stays', pictures: pictures.slice(1) })
    expect(await decideProject(desk, id, 'rejected')).toMatchObject({ imageCount: 2, ownImages: 1 })
    expect((await getProject(other)).ownImages).toBe(0)
    const { submitted } = await list()
    const stream = await openEvents(desk)
    const { content } = await stream.next()
    expect((await remove(id)).status).toBe(200)
    expect((await stream.next()).content).toBeGreaterThan(content)
    stream.close()
    expect(code(await desk.get(`/projects/${id}`))).toEqual([404, 'NOT_FOUND'])
    expect(code(await remove(id))).toEqual([404, 'NOT_FOUND'])
    expect((await getProject(other)).ownImages).toBe(1)
    const unused = expected(await desk.get<{ items: { sha256: string }[] }>('/images?use=unused'))
    const digests = unused.items.map(({ sha256 }) => sha256)
    expect([digests.includes(own), digests.includes(shared)]).toEqual([true, false])
    // The count of submissions never decreases, and ids are not reused.
    expect((await list()).submitted).toBe(submitted)
    expect(await submitProject(app)).toBeGreaterThan(other)
    expect((await list()).submitted).toBe(submitted + 1)
  })

  test('is refused for a pending or approved project, and for anyone but an administrator', async () => {
    const id = await submitProject(app, { title: 'Waits' })
    expect(code(await remove(id))).toEqual([409, 'INVALID_TRANSITION'])
    await decideProject(desk, id)
    expect(code(await remove(id))).toEqual([409, 'INVALID_TRANSITION'])
    expect(await isPublic('waits')).toBe(true)
    await decideProject(desk, id, 'rejected')
    await app.token({ subject: 'bob' })
    expect((await remove(id, await signIn(app, 'bob'))).status).toBe(403)
    expect((await getProject(id)).status).toBe('rejected')
  })
})

describe('an edit', () => {
  test('of a public project is visible immediately, and refused if it conflicts with another', async () => {
    const { id, revision, content } = await approvedProject(app, { title: 'Edited' })
    const change = { ...content, tagline: 'Something else.', slug: 'edited-two' }
    const saved = expected(
      await desk.send<DeskProject>('PUT', `/projects/${id}`, { revision, content: change }),
    )
    expect(saved).toMatchObject({ content: change, revision: revision + 1 })
    expect([await isPublic('edited'), await isPublic('edited-two')]).toEqual([false, true])
    const late = { revision, content: { ...content, tagline: 'Of another tab.' } }
    expect(code(await desk.send('PUT', `/projects/${id}`, late))).toEqual([409, 'EDITED_ELSEWHERE'])
    // Repeated because its response was lost.
    expect((await desk.send('PUT', `/projects/${id}`, { revision, content: change })).status).toBe(200)
    const taken = { revision: revision + 1, content: { ...change, slug: 'submit' } }
    expect(code(await desk.send('PUT', `/projects/${id}`, taken))).toEqual([409, 'SLUG_TAKEN'])
    const wrong = {
      revision: revision + 1,
      content: { ...change, links: [{ label: 'x', url: 'javascript:1' }] },
    }
    expect(code(await desk.send('PUT', `/projects/${id}`, wrong))).toEqual([400, 'VALIDATION_FAILED'])
  })
})

describe('the list', () => {
  test('has pending projects by waiting time and approved ones in public order, with counts', async () => {
    const site = await startTestContent()
    const pending = [await submitProject(site, { title: 'P1' }), await submitProject(site, { title: 'P2' })]
    const first = await approvedProject(site, { title: 'A1', author: 'Grace' })
    const second = await approvedProject(site, { title: 'A2' })
    await decideProject(site.desk, await submitProject(site, { title: 'R1' }), 'rejected')
    const ids = async (query: string): Promise<number[]> =>
      (await list(query, site.desk)).items.map(({ id }) => id)
    expect(await ids('?status=pending')).toEqual(pending)
    expect(await ids('?status=approved')).toEqual([second.id, first.id])
    expect((await list('?q=grAce', site.desk)).items.map(({ id }) => id)).toEqual([first.id])
    expect((await list('', site.desk)).counts).toEqual({ pending: 2, approved: 2, rejected: 1 })
    expect((await list('?status=rejected', site.desk)).total).toBe(1)
    await site.stop()
  })

  test('can be reordered: featured projects first, each moved before another or to the end', async () => {
    const site = await startTestContent()
    const made = [
      await approvedProject(site, { title: 'A' }),
      await approvedProject(site, { title: 'B' }),
      await approvedProject(site, { title: 'C' }),
      await approvedProject(site, { title: 'D' }),
    ]
    const idOf = (title: string): number => made.find((project) => project.title === title)?.id ?? 0
    const order = async (): Promise<string> =>
      (await list('?status=approved', site.desk)).items.map(({ title }) => title).join('')
    const put = (title: string, before: string | null) =>
      site.desk.send('PUT', '/project-order', {
        id: idOf(title),
        before: before === null ? null : idOf(before),
      })
    const feature = (title: string, featured: boolean) =>
      site.desk.send('PUT', `/projects/${idOf(title)}/featured`, { featured })
    expect(await order()).toBe('DCBA')
    await put('A', 'C')
    expect(await order()).toBe('DACB')
    await put('D', null)
    expect(await order()).toBe('ACBD')
    await put('B', 'B')
    expect(await order()).toBe('ACBD')
    await feature('B', true)
    await feature('D', true)
    expect(await order()).toBe('DBAC')
    await put('B', 'D')
    expect(await order()).toBe('BDAC')
    expect(code(await put('A', 'B'))).toEqual([409, 'INVALID_TRANSITION'])
    await feature('B', false)
    expect(await order()).toBe('DBAC')
    const waiting = await submitProject(site, { title: 'E' })
    const late = await site.desk.send('PUT', `/projects/${waiting}/featured`, { featured: true })
    expect(code(late)).toEqual([409, 'INVALID_TRANSITION'])
    const guide = await (await fetch(`${site.registry}/llms.txt`)).text()
    const names = [...guide.matchAll(/- \[([A-E])\]/g)].map(([, name]) => name)
    expect(names.join('')).toBe('DBAC')
    // A project that was rejected after an approval loses its old position.
    await decideProject(site.desk, idOf('D'), 'rejected')
    await decideProject(site.desk, idOf('D'), 'approved')
    expect((await list('?status=approved', site.desk)).items[0]).toMatchObject({
      title: 'D',
      featured: false,
    })
    await site.stop()
  })
})
