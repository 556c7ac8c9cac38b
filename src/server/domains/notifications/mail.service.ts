import { randomInt } from 'node:crypto'
import { eventsFor, verifyEvent } from '../../../shared/contracts/notifications.ts'
import type { NotificationEvent } from '../../../shared/contracts/notifications.ts'
import type { OwnNotifications } from '../../../shared/contracts/desk-notifications.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { Sealer } from '../../storage/sealed-text.ts'
import type { AttemptResult, Channel, Deliveries, DeliveryTiming } from './deliveries.service.ts'
import { mailRepository } from './mail.repository.ts'
import type { MailSubscription } from './mail.repository.ts'
import { eventMail, mailTexts } from './mail.texts.ts'
import { texts } from './notifications.texts.ts'
import { sendMail } from './send-mail.service.ts'
import type { MailServer } from './send-mail.service.ts'

const codeDigits = 8
/** Milliseconds for which a code is valid. */
const codeLifetimeMs = 3_600_000
const maxWrongCodes = 5
const dayMs = 86_400_000
/** Codes that a person may request in 24 hours, because they go to any address. */
const maxCodesPerDay = 5
/** How many times longer than a request to a webhook a conversation with a mail server may take. */
const slower = 3

const personKind = 'person'
export const mailRecipientOf = (personId: number): string => `${personKind}/${personId}`
const personOf = (recipient: string): number => Number(recipient.slice(personKind.length + 1))

interface MailParts {
  database: Database
  sealer: Sealer
  /** How e-mail is sent now; null while it isn't set up. */
  readServer(): MailServer | null
  /** Identifies the registry in an e-mail. */
  publicUrl(): string
  timing: DeliveryTiming
}

const refused = (problem: string): AttemptResult => ({
  status: 'failed',
  answerStatus: null,
  problem,
  isFinal: true,
})

/** Sends messages to people's addresses: before an address is verified, only its code. */
export function createMailChannel({ database, sealer, readServer, publicUrl, timing }: MailParts): Channel {
  const mail = mailRepository(database.reader)

  const write = (event: string, body: string) => {
    const { data } = JSON.parse(body) as { data: { code?: string } }
    if (event === verifyEvent) return mailTexts.verify(sealer.open(data.code ?? '') ?? '')
    const { subject, text } = eventMail(event as NotificationEvent, data)
    return { subject, text: text + mailTexts.footer(publicUrl()) }
  }

  return {
    kind: personKind,
    parallel: 2,
    async attempt({ recipient, event, messageId, body }, signal) {
      const receiver = mail.findReceiver(personOf(recipient))
      if (receiver === null || (event === verifyEvent) !== (receiver.verifiedAt === null)) {
        return refused(texts.problem.noAddress)
      }
      // The message may have waited since the person still had the role.
      const { address, role } = receiver
      const mayKnow = event === verifyEvent || eventsFor(role).some((one) => one === event)
      if (!mayKnow) return refused(texts.problem.noRole)
      const server = readServer()
      if (server === null) return { ...refused(texts.problem.noMailServer), isFinal: false }
      return sendMail(
        server,
        { to: address, messageId, ...write(event, body) },
        { signal, limitMs: timing.limitMs * slower },
      )
    },
  }
}

/** Each person's own e-mail notifications. */
export function createOwnNotifications(
  { database, sealer, readServer, timing }: MailParts,
  deliveries: Pick<Deliveries, 'enqueue' | 'cancel'>,
) {
  const reading = mailRepository(database.reader)
  const writing = mailRepository(database.writer)
  const instant = (ms = timing.now()): string => new Date(ms).toISOString()

  const show = ({ id, role }: Person, from = reading): OwnNotifications => {
    const found = from.find(id)
    const available = eventsFor(role)
    return {
      isAvailable: readServer() !== null,
      address: found?.address ?? null,
      verifiedAt: found?.verifiedAt ?? null,
      events: (found?.events ?? []).filter((event) => available.includes(event)),
      available,
    }
  }

  const get = (personId: number): MailSubscription => {
    const found = writing.find(personId)
    if (found === null) throw new DomainError('NOT_FOUND', texts.noAddress)
    return found
  }

  return {
    getNotifications(person: Person): OwnNotifications {
      database.assertAvailable()
      return show(person)
    },

    /** Saves an address and mails a code to it. Throws INVALID_TRANSITION without a mail server, or QUOTA_EXCEEDED. */
    setAddress(person: Person, address: string): Promise<OwnNotifications> {
      return database.transact(() => {
        if (readServer() === null) throw new DomainError('INVALID_TRANSITION', texts.noMailServer)
        const recipient = mailRecipientOf(person.id)
        if (writing.countCodes(recipient, instant(timing.now() - dayMs)) >= maxCodesPerDay) {
          throw new DomainError('QUOTA_EXCEEDED', texts.tooManyCodes(maxCodesPerDay))
        }
        const code = sealer.seal(String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0'))
        deliveries.cancel({ recipient, problem: texts.problem.noAddress })
        writing.save({
          personId: person.id,
          address,
          events: writing.find(person.id)?.events ?? [],
          verifiedAt: null,
          code,
          codeExpiresAt: instant(timing.now() + codeLifetimeMs),
          wrongCodes: 0,
        })
        deliveries.enqueue([recipient], verifyEvent, { code })
        return show(person, writing)
      })
    },

    /** Throws NOT_FOUND, or VALIDATION_FAILED for a wrong or expired code and after too many wrong ones. */
    async verifyAddress(person: Person, code: string): Promise<OwnNotifications> {
      const isRight = await database.transact(() => {
        const found = get(person.id)
        const isCurrent = (found.codeExpiresAt ?? '') > instant() && found.wrongCodes < maxWrongCodes
        const matches = isCurrent && found.code !== null && sealer.open(found.code) === code
        writing.save(
          matches
            ? { ...found, verifiedAt: instant(), code: null, codeExpiresAt: null }
            : { ...found, wrongCodes: found.wrongCodes + 1 },
        )
        return matches
      })
      if (!isRight) {
        const issues = [{ path: 'code', message: texts.wrongCode }]
        throw new DomainError('VALIDATION_FAILED', texts.wrongCode, { issues })
      }
      return show(person)
    },

    /** Throws NOT_FOUND without an address. Events that the person's role does not have are ignored. */
    chooseEvents(person: Person, events: readonly NotificationEvent[]): Promise<OwnNotifications> {
      return database.transact(() => {
        const available = eventsFor(person.role)
        writing.save({
          ...get(person.id),
          events: events.filter((event) => available.includes(event)),
        })
        return show(person, writing)
      })
    },

    removeAddress(person: Person): Promise<OwnNotifications> {
      return database.transact(() => {
        writing.remove(person.id)
        deliveries.cancel({ recipient: mailRecipientOf(person.id), problem: texts.problem.noAddress })
        return show(person, writing)
      })
    },
  }
}

export type OwnNotificationsService = ReturnType<typeof createOwnNotifications>
