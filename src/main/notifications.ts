import { Notification } from 'electron'
import type { Preferences } from '../shared/ipc-schema.ts'
import type { News } from '../shared/services-messages.ts'

/** Milliseconds in which submissions are one burst, counted from the first. */
const burstMs = 3000

const queuePath = '/desk/review'
/** A place of the desk, and nothing that could be an address of somewhere else. */
const deskPath = /^\/desk\/[\w./?=&%-]*$/

type Kind = Extract<keyof Preferences, `notify${string}`>

export interface NotificationOptions {
  isOn(kind: Kind): boolean
  /** Whether the person is looking at the desk. */
  isWatched(): boolean
  open(path: string): void
}

export interface Notifications {
  onNews(news: News): void
  /** The services have ended by themselves. */
  onCrash(): void
}

export function createNotifications({ isOn, isWatched, open }: NotificationOptions): Notifications {
  // One that is forgotten can no longer be clicked.
  const shown = new Set<Notification>()
  let burst: { count: number; submissions: News['submissions'] } | null = null

  const show = (title: string, body: string, path: string): void => {
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

  const endBurst = (): void => {
    const ended = burst
    burst = null
    if (ended === null || isWatched() || !isOn('notifySubmissions')) return
    const [only] = ended.submissions
    if (ended.count === 1 && only !== undefined) {
      const release = `${only.name} ${only.version}`
      show(`${release} waits for review`, `Submitted by ${only.publisher}`, releasePath(only))
      return
    }
    const names = ended.submissions.slice(0, 3).map(({ name, version }) => `${name} ${version}`)
    const more = ended.count - names.length
    const body = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
    show(`${ended.count} new releases wait for review`, body, queuePath)
  }

  return {
    onNews({ submitted, submissions, alerts }) {
      if (submitted > 0) {
        if (burst === null) setTimeout(endBurst, burstMs)
        burst = {
          count: (burst?.count ?? 0) + submitted,
          submissions: [...(burst?.submissions ?? []), ...submissions],
        }
      }
      if (!isOn('notifyBudgets')) return
      for (const { text, href } of alerts) show('Skilldock', text, deskPath.test(href) ? href : '/desk/')
    },
    onCrash() {
      if (!isOn('notifyCrashes')) return
      show('The services have ended unexpectedly', 'Skilldock starts them again.', '/desk/')
    },
  }
}

function releasePath({ name, version }: { name: string; version: string }): string {
  return `/desk/release/${name}/${version}`
}
