import type { NotificationEvent } from '../../../shared/contracts/notifications.ts'

/** What a message says about an event. */
export interface MailText {
  subject: string
  text: string
}

interface ReleaseData {
  release: { name: string; version: string; publisher: string }
  decision?: string
  links: { desk: string; page?: string }
}
interface TransferData {
  name: string
  newOwner: string
  reason: string
  links: { desk: string }
}
interface AlertData {
  count: number
  alerts: { text: string }[]
  links: { desk: string }
}
interface BackupData {
  links: { desk: string }
}

const named = ({ release }: ReleaseData): string => `${release.name} ${release.version}`
const linksOf = ({ links }: ReleaseData): string =>
  links.page === undefined ? links.desk : `${links.page}\n${links.desk}`

/** Every e-mail, as plain text. */
export const mailTexts = {
  verify: (code: string): MailText => ({
    subject: `${code} is your code for e-mail notifications`,
    text: `Enter this code in the desk, under “E-mail notifications”, within an hour:\n\n${code}\n\nIf you did not ask for it, ignore this e-mail: nothing else is sent to this address.`,
  }),

  events: {
    'release.submitted': (data: ReleaseData) => ({
      subject: `${named(data)} was submitted for review`,
      text: `${data.release.publisher} submitted ${named(data)}.\n\n${linksOf(data)}`,
    }),
    'release.question': (data: ReleaseData) => ({
      subject: `A question about ${named(data)}`,
      text: `A reviewer asked a question about ${named(data)}. Answer it in the desk:\n\n${linksOf(data)}`,
    }),
    'release.answer': (data: ReleaseData) => ({
      subject: `An answer about ${named(data)}`,
      text: `An owner of ${data.release.name} answered a question about ${named(data)}.\n\n${linksOf(data)}`,
    }),
    'release.decided': (data: ReleaseData) => ({
      subject: `${named(data)} was ${data.decision}`,
      text: `${named(data)} was ${data.decision}. The review notes are in the desk, and in “skill status”.\n\n${linksOf(data)}`,
    }),
    'release.revoked': (data: ReleaseData) => ({
      subject: `${named(data)} was revoked`,
      text: `${named(data)} was revoked and can no longer be downloaded. The review notes are in the desk.\n\n${linksOf(data)}`,
    }),
    'name.transferred': ({ name, newOwner, reason, links }: TransferData) => ({
      subject: `${name} was transferred to ${newOwner}`,
      text: `An administrator transferred ${name} to ${newOwner}, so you no longer own it. The reason:\n\n${reason}\n\n${links.desk}`,
    }),
    'agent.alert': ({ count, alerts, links }: AlertData) => ({
      subject: count === 1 ? (alerts[0]?.text ?? '') : `${count} new agent alerts`,
      text: `${alerts.map(({ text }) => text).join('\n')}${count > alerts.length ? '\n…' : ''}\n\n${links.desk}`,
    }),
    'backup.failed': ({ links }: BackupData) => ({
      subject: 'A backup failed',
      text: `A scheduled backup of the registry failed. Services in the desk says why:\n\n${links.desk}`,
    }),
  } satisfies Record<NotificationEvent, (data: never) => MailText>,

  footer: (address: string) =>
    `\n\n-- \nYou chose to receive this e-mail from the registry at ${address}. To change that, open “E-mail notifications” on your page of the desk.\n`,
} as const

/** The e-mail about an event, from the data of its message. */
export const eventMail = (event: NotificationEvent, data: unknown): MailText =>
  (mailTexts.events[event] as (data: unknown) => MailText)(data)
