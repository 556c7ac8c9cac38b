import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { News } from '../shared/services-messages.ts'
import { createNotifications } from './notifications.ts'
import type { Notifications } from './notifications.ts'

const shown = vi.hoisted(() => [] as { title: string; body: string; emit(name: string): boolean }[])

vi.mock('electron', () => ({
  Notification: class extends EventEmitter {
    readonly title: string
    readonly body: string

    constructor({ title, body }: { title: string; body: string }) {
      super()
      this.title = title
      this.body = body
    }

    static isSupported = (): boolean => true

    show(): void {
      shown.push(this)
    }
  },
}))

let off: Set<string>
let isWatched: boolean
let opened: string[]
let notifications: Notifications

beforeEach(() => {
  vi.useFakeTimers()
  shown.length = 0
  off = new Set()
  isWatched = false
  opened = []
  notifications = createNotifications({
    isOn: (kind) => !off.has(kind),
    isWatched: () => isWatched,
    open: (path) => opened.push(path),
  })
})
afterEach(() => vi.useRealTimers())

const noProjects: News['projects'] = { pending: 0, submitted: 0, submissions: [] }
const news = (names: string[], alerts: News['alerts'] = [], projects = noProjects): void =>
  notifications.onNews({
    pending: names.length,
    submitted: names.length,
    submissions: names.map((name, id) => ({ id, name, version: '1.0.0', publisher: 'Alice' })),
    projects,
    alerts,
  })
const texts = (): string[][] => shown.map(({ title, body }) => [title, body])

test('submissions within three seconds are one notification', () => {
  news(['one'])
  vi.advanceTimersByTime(2999)
  news(['two', 'three', 'four'])
  expect(shown).toEqual([])
  vi.advanceTimersByTime(1)
  expect(texts()).toEqual([['4 new releases to review', 'one 1.0.0, two 1.0.0, three 1.0.0 and 1 more']])
  news(['five'])
  vi.advanceTimersByTime(2999)
  expect(shown).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(texts()[1]).toEqual(['New release: five 1.0.0', 'Submitted by Alice'])
})

test('a click opens the release, or the queue if there are several', () => {
  news(['one'])
  vi.advanceTimersByTime(3000)
  news(['two', 'three'])
  vi.advanceTimersByTime(3000)
  for (const notification of shown) notification.emit('click')
  expect(opened).toEqual(['/desk/release/one/1.0.0', '/desk/review'])
})

test('projects have their own notifications, and a click opens the project or the showcase', () => {
  const project = (id: number) => ({ id, title: `Project ${id}`, author: 'Ada' })
  news(['one'], [], { pending: 1, submitted: 1, submissions: [project(7)] })
  vi.advanceTimersByTime(3000)
  news([], [], { pending: 6, submitted: 5, submissions: [8, 9, 10, 11, 12].map(project) })
  vi.advanceTimersByTime(3000)
  expect(texts()).toEqual([
    ['New release: one 1.0.0', 'Submitted by Alice'],
    ['New project: Project 7', 'Submitted by Ada'],
    ['5 new projects to review', 'Project 8, Project 9, Project 10 and 2 more'],
  ])
  for (const notification of shown) notification.emit('click')
  expect(opened.slice(1)).toEqual(['/desk/content/showcase/7', '/desk/content/showcase'])
})

test('there are no notifications of submissions while the desk has focus, or without submissions', () => {
  isWatched = true
  news(['one'])
  news([])
  vi.advanceTimersByTime(3000)
  expect(shown).toEqual([])
})

test('a crash and an alert are shown immediately, even while the desk has focus', () => {
  isWatched = true
  notifications.onCrash()
  news([], [{ kind: 'budget', text: 'Agent 3 has passed its budget.', href: '/desk/agents?id=3' }])
  expect(texts()).toEqual([
    ['The services stopped unexpectedly', 'Skilldock is restarting them.'],
    ['Skilldock', 'Agent 3 has passed its budget.'],
  ])
  shown[1]?.emit('click')
  expect(opened).toEqual(['/desk/agents?id=3'])
})

test.each(['https://example.org/desk/', '//example.org', '/other', '/desk/../x#code', 'javascript:alert(1)'])(
  'an alert never opens %s',
  (href) => {
    news([], [{ kind: 'agent', text: 'x', href }])
    shown[0]?.emit('click')
    expect(opened).toEqual(['/desk/'])
  },
)

test('each kind can be switched off', () => {
  off = new Set(['notifySubmissions', 'notifyCrashes', 'notifyBudgets'])
  news(['one'], [{ kind: 'budget', text: 'x', href: '/desk/' }])
  notifications.onCrash()
  vi.advanceTimersByTime(3000)
  expect(shown).toEqual([])
})
