import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PostContent } from '../../../shared/contracts/content.ts'
import { ApiError } from '../../lib/server/api-error.ts'
import { createPostSaver } from './post-saver.ts'
import type { SavedPost } from './post-saver.ts'

const empty: PostContent = { title: '', slug: '', summary: '', markdown: '', tags: [], cover: null }
const text = (markdown: string): PostContent => ({ ...empty, markdown })

/** A server that keeps one post, and can be away, refuse, or lose its answer. */
function serverOf(markdown = '') {
  const post: SavedPost = {
    content: text(markdown),
    revision: 3,
    updatedAt: '2026-11-22T10:00:00.000Z',
    updatedBy: 'ilse',
  }
  const trouble: { next: 'away' | 'refused' | 'answer lost' | null } = { next: null }
  const kept: (PostContent | null)[] = []
  const saves: string[] = []
  const write = (content: PostContent, by: string): void => {
    Object.assign(post, { content, revision: post.revision + 1, updatedBy: by })
  }
  const saver = createPostSaver(
    { ...post },
    {
      async save(content, revision) {
        await Promise.resolve()
        const failing = trouble.next
        trouble.next = null
        if (failing === 'away') throw new ApiError('NETWORK', 'no answer')
        if (failing === 'refused') throw new ApiError('VALIDATION_FAILED', 'no', { status: 400 })
        if (revision !== post.revision) throw new ApiError('EDITED_ELSEWHERE', 'no', { status: 409 })
        saves.push(content.markdown)
        write(content, 'ilse')
        if (failing === 'answer lost') throw new ApiError('NETWORK', 'no answer')
        return { revision: post.revision, savedAt: '2026-11-22T10:00:01.000Z' }
      },
      read: async () => ({ ...post }),
      keep: (draft) => kept.push(draft?.content ?? null),
    },
  )
  const edit = (words: string): void => saver.edit((old) => ({ ...old, markdown: words }))
  const kind = (): string => saver.get().state.kind
  return { post, trouble, kept, saves, saver, edit, kind, write }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('what is written is kept on this computer at once and saved after a rest', async () => {
  const { saver, edit, kept, saves, kind } = serverOf()
  edit('a')
  edit('ab')
  expect(kept.at(-1)?.markdown).toBe('ab')
  expect(kind()).toBe('saving')
  expect(saves).toEqual([])
  await vi.advanceTimersByTimeAsync(800)
  expect(saves).toEqual(['ab'])
  expect(saver.get().state).toEqual({ kind: 'saved', at: '2026-11-22T10:00:01.000Z' })
  expect(kept.at(-1)).toBeNull()
})

test('somebody who never rests is saved every few seconds', async () => {
  const { edit, saves } = serverOf()
  for (let key = 1; key <= 20; key += 1) {
    edit('x'.repeat(key))
    // oxlint-disable-next-line no-await-in-loop
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(saves.length).toBeGreaterThanOrEqual(2)
})

test('saves go one after the other, each from the revision of the one before', async () => {
  const { saver, edit, saves, kind } = serverOf()
  edit('one')
  const first = saver.flush()
  edit('two')
  expect(await first).toBe(true)
  expect(saves).toEqual(['one', 'two'])
  expect(kind()).toBe('saved')
})

test('a server that is away is asked again until it answers, and nothing written meanwhile is lost', async () => {
  const { edit, trouble, kept, saves, kind } = serverOf()
  edit('one')
  trouble.next = 'away'
  await vi.advanceTimersByTimeAsync(800)
  expect(kind()).toBe('away')
  edit('one two')
  expect(kept.at(-1)?.markdown).toBe('one two')
  await vi.advanceTimersByTimeAsync(1000)
  expect(saves).toEqual(['one two'])
  expect(kind()).toBe('saved')
})

test('a save whose answer was lost is no conflict, not even when one wrote on', async () => {
  const { edit, trouble, saves, kind } = serverOf()
  edit('one')
  trouble.next = 'answer lost'
  await vi.advanceTimersByTimeAsync(800)
  edit('one two')
  await vi.advanceTimersByTimeAsync(1000)
  expect(saves).toEqual(['one', 'one two'])
  expect(kind()).toBe('saved')
})

test('another text that was saved meanwhile stops saving until one is chosen', async () => {
  const { saver, edit, write, saves, kept } = serverOf()
  edit('mine')
  write(text('theirs'), 'tomas')
  await vi.advanceTimersByTimeAsync(800)
  expect(saver.get().state).toMatchObject({ kind: 'conflict', theirs: { updatedBy: 'tomas' } })
  expect(saver.get().content.markdown).toBe('mine')
  expect(kept.at(-1)?.markdown).toBe('mine')
  expect(saves).toEqual([])

  saver.keepMine()
  await vi.advanceTimersByTimeAsync(0)
  expect(saves).toEqual(['mine'])
  expect(saver.get().state.kind).toBe('saved')
})

test('taking theirs replaces the text and keeps nothing unsaved', async () => {
  const { saver, edit, write, post, kept } = serverOf()
  edit('mine')
  write(text('theirs'), 'tomas')
  await vi.advanceTimersByTimeAsync(800)
  saver.take({ ...post })
  expect(saver.get()).toMatchObject({ content: { markdown: 'theirs' }, replaced: 1, revision: 4 })
  expect(kept.at(-1)).toBeNull()
})

test('a text without changes follows what others save; one with changes does not', async () => {
  const { saver, edit, write, post } = serverOf()
  write(text('theirs'), 'tomas')
  saver.hear({ ...post })
  expect(saver.get()).toMatchObject({ content: { markdown: 'theirs' }, replaced: 1 })
  edit('mine')
  write(text('more of theirs'), 'tomas')
  saver.hear({ ...post })
  expect(saver.get().content.markdown).toBe('mine')
})

test('what the server refuses is kept and sent again with the next change', async () => {
  const { edit, trouble, kept, kind } = serverOf()
  edit('one')
  trouble.next = 'refused'
  await vi.advanceTimersByTimeAsync(800)
  expect(kind()).toBe('refused')
  expect(kept.at(-1)?.markdown).toBe('one')
  edit('two')
  await vi.advanceTimersByTimeAsync(800)
  expect(kind()).toBe('saved')
})

test('a text that is too long is not sent, and a post that is deleted is not saved', async () => {
  const { saver, edit, saves, kind } = serverOf()
  edit('x'.repeat(200_001))
  expect(await saver.flush()).toBe(false)
  expect(kind()).toBe('refused')
  edit('short')
  saver.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(saves).toEqual([])
})
