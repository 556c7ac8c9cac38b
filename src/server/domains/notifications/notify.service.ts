import { eventsFor, isForOwners } from '../../../shared/contracts/notifications.ts'
import type { NotificationEvent } from '../../../shared/contracts/notifications.ts'
import { publisherName } from '../../../shared/publisher-name.ts'
import type { Database } from '../../db/database.ts'
import type { StoredEntry } from '../../db/log/event-log.ts'
import type { Deliveries } from './deliveries.service.ts'
import { mailRepository } from './mail.repository.ts'
import { mailRecipientOf } from './mail.service.ts'
import { notifyRepository } from './notify.repository.ts'
import { webhookRepository } from './webhooks.repository.ts'
import { recipientOf } from './webhooks.service.ts'

/** Alerts that one message contains. */
const maxAlerts = 10

interface NotifyParts {
  database: Database
  deliveries: Pick<Deliveries, 'enqueue'>
  publicUrl(): string
  /** The URL of the desk, without a slash at its end. */
  deskUrl(): string
  /** Whether e-mail can be sent. */
  hasMail(): boolean
}

/** Something that has happened, with the data of its message. */
interface Happened {
  event: NotificationEvent
  data: Record<string, unknown>
  /** The owners of the release's name, or the person who lost a name. */
  ownerIds?: readonly number[]
  /** The person who did it, who needs no e-mail about it. */
  actorId?: number
}

/** Of an entry of the transparency log: `TABLE/KEY`, and JSON with the `type` of the event. */
type LoggedEntry = Pick<StoredEntry, 'subject' | 'entry'>

/** Events that the transparency log contains, by their types in it. */
const loggedEvents: Partial<Record<string, NotificationEvent>> = {
  'release.submitted': 'release.submitted',
  'release.approved': 'release.decided',
  'release.rejected': 'release.decided',
  'release.revoked': 'release.revoked',
  'owner.ended': 'name.transferred',
  'question.asked': 'release.question',
  'answer.given': 'release.answer',
}

/** Queues the messages about what happens. */
export function createNotify({ database, deliveries, publicUrl, deskUrl, hasMail }: NotifyParts) {
  const repository = notifyRepository(database.writer)
  const webhooks = webhookRepository(database.writer)

  const mail = mailRepository(database.writer)

  const listPeople = ({ event, ownerIds = [], actorId }: Happened): string[] => {
    if (!hasMail()) return []
    return mail
      .listSubscribers(event)
      .filter(
        ({ personId, role }) =>
          personId !== actorId &&
          (isForOwners(event) ? ownerIds.includes(personId) : eventsFor(role).includes(event)),
      )
      .map(({ personId }) => mailRecipientOf(personId))
  }

  const send = (happened: Happened): void => {
    const { event, data } = happened
    const subscribed = webhooks
      .list()
      .filter(({ events, disabledAt }) => disabledAt === null && events.includes(event))
      .map(({ id }) => recipientOf(id))
    const recipients = [...subscribed, ...listPeople(happened)]
    if (recipients.length > 0) deliveries.enqueue(recipients, event, data)
  }

  const readTransfer = (ownerId: number): Happened | null => {
    const lost = repository.findLostName(ownerId)
    if (lost === null) return null
    const { name, reason, personId, personName, newOwnerId, newOwnerName } = lost
    return {
      event: 'name.transferred',
      ownerIds: [personId],
      actorId: lost.administratorId,
      data: {
        name,
        formerOwner: publisherName({ id: personId, name: personName }),
        newOwner: publisherName({ id: newOwnerId, name: newOwnerName }),
        reason,
        links: { desk: `${deskUrl()}/own/names` },
      },
    }
  }

  const readLogged = ({ subject, entry }: LoggedEntry): Happened | null => {
    const { type } = JSON.parse(entry) as { type: string }
    const event = loggedEvents[type]
    if (event === undefined) return null
    if (event === 'name.transferred') return readTransfer(Number(subject.split('/')[1]))
    const source = repository.findSource(subject)
    const release = source === null ? null : repository.findRelease(source.releaseId)
    if (source === null || release === null) return null
    const { id, name, version, status, ownerId, ownerName } = release
    return {
      event,
      ownerIds: repository.listOwners(name),
      actorId: source.actorId,
      data: {
        release: { id, name, version, status, publisher: publisherName({ id: ownerId, name: ownerName }) },
        ...(source.decision === null ? {} : { decision: source.decision }),
        links: {
          desk: `${deskUrl()}/review/${id}`,
          ...(status === 'approved' ? { page: `${publicUrl()}/skills/${name}/${version}` } : {}),
        },
      },
    }
  }

  return {
    /** Inside the transaction that adds these entries to the transparency log. */
    onLogged(entries: readonly LoggedEntry[]): void {
      for (const entry of entries) {
        const happened = readLogged(entry)
        if (happened !== null) send(happened)
      }
    },

    /** Inside the transaction that stores new alerts of the agent project. */
    onAlerts(alerts: readonly { kind: string; text: string }[]): void {
      if (alerts.length === 0) return
      const links = { desk: `${deskUrl()}/agents` }
      const data = { count: alerts.length, alerts: alerts.slice(0, maxAlerts), links }
      send({ event: 'agent.alert', data })
    },

    onBackupFailed(): Promise<void> {
      const data = { links: { desk: `${deskUrl()}/services` } }
      return database.transact(() => send({ event: 'backup.failed', data }))
    },
  }
}
