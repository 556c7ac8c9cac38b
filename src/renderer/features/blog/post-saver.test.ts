import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PostContent } from '../../../shared/contracts/content.ts'
import { ApiError } from '../../lib/server/api-error.ts'
import { createPostSaver } from './post-saver.ts'
import type { SavedPost } from './post-saver.ts'

const empty: PostContent = { title: '', slug: '', summary: '', markdown: '', tags: [], cover: null }
const text = (markdown: string): PostContent => ({ ...empty, markdown })

/** A server with one post that can be made not to respond, to reject saves, or to lose its reply. */
function serverOf(markdown = '') {
  const post: SavedPost = {
    content: text(markdown),
    revision: 3,
    updatedAt: '2026-11-22T10:00:00.000Z',
    updatedBy: 'ilse',
  }
  const failure: { next: 'offline' | 'rejected' | 'reply lost' | null } = { next: null }
  const drafts: (PostContent | null)[] = []
  const saves: string[] = []
  const write = (content: PostContent, by: string): void => {
    Object.assign(post, { content, revision: post.revision + 1, updatedBy: by })
  }
  const saver = createPostSaver(
    { ...post },
    {
      async save(content, revision) {
        await Promise.resolve()
        const failing = failure.next
        failure.next = null
        if (failing === 'offline') throw new ApiError('NETWORK', 'no answer')
        if (failing === 'rejected') throw new ApiError('VALIDATION_FAILED', 'no', { status: 400 })
        if (revision !== post.revision) throw new ApiError('EDITED_ELSEWHERE', 'no', { status: 409 })
        saves.push(content.markdown)
        write(content, 'ilse')
        if (failing === 'reply lost') throw new ApiError('NETWORK', 'no answer')
        return { revision: post.revision, savedAt: '2026-11-22T10:00:01.000Z' }
      },
      read: async () => ({ ...post }),
      keep: (draft) => drafts.push(draft?.content ?? null),
    },
  )
  const edit = (words: string): void => saver.edit((old) => ({ ...old, markdown: words }))
  const kind = (): string => saver.get().state.kind
  return { post, failure, drafts, saves, saver, edit, kind, write }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a change is stored on this computer immediately and saved after a pause', async () => {
  const { saver, edit, drafts, saves, kind } = serverOf()
  edit('a')
  edit('ab')
  expect(drafts.at(-1)?.markdown).toBe('ab')
  expect(kind()).toBe('saving')
  expect(saves).toEqual([])
  await vi.advanceTimersByTimeAsync(800)
  expect(saves).toEqual(['ab'])
  expect(saver.get().state).toEqual({ kind: 'saved', at: '2026-11-22T10:00:01.000Z' })
  expect(drafts.at(-1)).toBeNull()
})

test('continuous typing is saved every few seconds', async () => {
  const { edit, saves } = serverOf()
  for (let key = 1; key <= 20; key += 1) {
    edit('x'.repeat(key))
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(saves.length).toBeGreaterThanOrEqual(2)
})

test('saves are sent one at a time, each based on the revision of the previous one', async () => {
  const { saver, edit, saves, kind } = serverOf()
  edit('one')
  const first = saver.flush()
  edit('two')
  expect(await first).toBe(true)
  expect(saves).toEqual(['one', 'two'])
  expect(kind()).toBe('saved')
})

test('a server that does not respond is retried, and nothing written in the meantime is lost', async () => {
  const { edit, failure, drafts, saves, kind } = serverOf()
  edit('one')
  failure.next = 'offline'
  await vi.advanceTimersByTimeAsync(800)
  expect(kind()).toBe('offline')
  edit('one two')
  expect(drafts.at(-1)?.markdown).toBe('one two')
  await vi.advanceTimersByTimeAsync(1000)
  expect(saves).toEqual(['one two'])
  expect(kind()).toBe('saved')
})

test('a save whose reply was lost is not a conflict, even when writing continued', async () => {
  const { edit, failure, saves, kind } = serverOf()
  edit('one')
  failure.next = 'reply lost'
  await vi.advanceTimersByTimeAsync(800)
  edit('one two')
  await vi.advanceTimersByTimeAsync(1000)
  expect(saves).toEqual(['one', 'one two'])
  expect(kind()).toBe('saved')
})

test('a conflicting save by someone else stops saving until a version is chosen', async () => {
  const { saver, edit, write, saves, drafts } = serverOf()
  edit('mine')
  write(text('theirs'), 'tomas')
  await vi.advanceTimersByTimeAsync(800)
  expect(saver.get().state).toMatchObject({ kind: 'conflict', theirs: { updatedBy: 'tomas' } })
  expect(saver.get().content.markdown).toBe('mine')
  expect(drafts.at(-1)?.markdown).toBe('mine')
  expect(saves).toEqual([])

  saver.keepMine()
  await vi.advanceTimersByTimeAsync(0)
  expect(saves).toEqual(['mine'])
  expect(saver.get().state.kind).toBe('saved')
})

test('using their version replaces the text and drops the unsaved draft', async () => {
  const { saver, edit, write, post, drafts } = serverOf()
  edit('mine')
  write(text('theirs'), 'tomas')
  await vi.advanceTimersByTimeAsync(800)
  saver.replaceWith({ ...post })
  expect(saver.get()).toMatchObject({ content: { markdown: 'theirs' }, replaced: 1, revision: 4 })
  expect(drafts.at(-1)).toBeNull()
})

test('a text without local changes follows what others save; one with changes does not', async () => {
  const { saver, edit, write, post } = serverOf()
  write(text('theirs'), 'tomas')
  saver.receive({ ...post })
  expect(saver.get()).toMatchObject({ content: { markdown: 'theirs' }, replaced: 1 })
  edit('mine')
  write(text('more of theirs'), 'tomas')
  saver.receive({ ...post })
  expect(saver.get().content.markdown).toBe('mine')
})

test('a rejected text is kept and sent again with the next change', async () => {
  const { edit, failure, drafts, kind } = serverOf()
  edit('one')
  failure.next = 'rejected'
  await vi.advanceTimersByTimeAsync(800)
  expect(kind()).toBe('rejected')
  expect(drafts.at(-1)?.markdown).toBe('one')
  edit('two')
  await vi.advanceTimersByTimeAsync(800)
  expect(kind()).toBe('saved')
})

test('what was written while a text was being rejected is saved', async () => {
  const { saver, edit, failure, saves, kind } = serverOf()
  edit('one')
  failure.next = 'rejected'
  const first = saver.flush()
  edit('two')
  expect(await first).toBe(true)
  expect(saves).toEqual(['two'])
  expect(kind()).toBe('saved')
})

test('a text that is too long is not sent, and a deleted post is not saved', async () => {
  const { saver, edit, saves, kind } = serverOf()
  edit('x'.repeat(200_001))
  expect(await saver.flush()).toBe(false)
  expect(kind()).toBe('rejected')
  edit('short')
  saver.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(saves).toEqual([])
})
