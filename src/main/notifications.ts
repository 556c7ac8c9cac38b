import { Notification } from 'electron'
import type { Preferences } from '../shared/ipc-schema.ts'
import type { News } from '../shared/services-messages.ts'
import { texts } from './app.texts.ts'

const { notifications } = texts

/** Milliseconds after the first submission during which others are added to its notification. */
const burstMs = 3000

const queuePath = '/desk/review'
const showcasePath = '/desk/content/showcase'
/** A path in the desk that cannot be an address elsewhere. */
const deskPath = /^\/desk\/[\w./?=&%-]*$/

type Release = News['submissions'][number]
type Project = News['projects']['submissions'][number]
type Show = (title: string, body: string, path: string) => void
type Kind = Extract<keyof Preferences, `notify${string}`>

interface NotificationOptions {
  isOn(kind: Kind): boolean
  /** Whether the desk has focus. */
  isWatched(): boolean
  open(path: string): void
}

export interface Notifications {
  onNews(news: News): void
  /** The services have stopped unexpectedly. */
  onCrash(): void
}

export function createNotifications({ isOn, isWatched, open }: NotificationOptions): Notifications {
  // A notification that is garbage-collected can no longer be clicked.
  const shown = new Set<Notification>()

  const show: Show = (title, body, path) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({ title, body })
    shown.add(notification)
    const forget = (): void => void shown.delete(notification)
    notification.once('close', forget)
    notification.once('click', () => {
      forget()
      open(path)
    })
    notification.show()
  }

  const shouldNotify = (): boolean => !isWatched() && isOn('notifySubmissions')
  const releases = createBurst<Release>((count, submissions) => {
    if (shouldNotify()) show(...describeReleases(count, submissions))
  })
  const projects = createBurst<Project>((count, submissions) => {
    if (shouldNotify()) show(...describeProjects(count, submissions))
  })

  return {
    onNews(news) {
      releases.add(news.submitted, news.submissions)
      projects.add(news.projects.submitted, news.projects.submissions)
      if (!isOn('notifyBudgets')) return
      for (const { text, href } of news.alerts) show(texts.name, text, deskPath.test(href) ? href : '/desk/')
    },
    onCrash() {
      if (!isOn('notifyCrashes')) return
      show(notifications.crash.title, notifications.crash.body, '/desk/')
    },
  }
}

/** Collects rows that arrive within `burstMs` of the first and reports them together. */
function createBurst<Row>(end: (count: number, rows: readonly Row[]) => void) {
  let burst: { count: number; rows: readonly Row[] } | null = null
  const finish = (): void => {
    const ended = burst
    burst = null
    if (ended !== null) end(ended.count, ended.rows)
  }
  return {
    add(count: number, rows: readonly Row[]): void {
      if (count === 0) return
      if (burst === null) setTimeout(finish, burstMs)
      burst = { count: (burst?.count ?? 0) + count, rows: [...(burst?.rows ?? []), ...rows] }
    },
  }
}

function describeReleases(count: number, rows: readonly Release[]): Parameters<Show> {
  const [only] = rows
  const names = rows.map(({ name, version }) => `${name} ${version}`)
  if (count > 1 || only === undefined) {
    return [notifications.releases(count), listNames(names, count), queuePath]
  }
  return [notifications.release(only), notifications.submittedBy(only.publisher), releasePath(only)]
}

function describeProjects(count: number, rows: readonly Project[]): Parameters<Show> {
  const [only] = rows
  if (count > 1 || only === undefined) {
    const titles = rows.map(({ title }) => title)
    return [notifications.projects(count), listNames(titles, count), showcasePath]
  }
  return [
    notifications.project(only.title),
    notifications.submittedBy(only.author),
    `${showcasePath}/${only.id}`,
  ]
}

/** The first three names and how many more there are. */
function listNames(names: readonly string[], count: number): string {
  const first = names.slice(0, 3)
  return notifications.names(first, count - first.length)
}

function releasePath({ name, version }: Release): string {
  return `/desk/release/${name}/${version}`
}
