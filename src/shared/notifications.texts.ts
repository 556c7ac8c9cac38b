import type { NotificationEvent } from './contracts/notifications.ts'

/** What the events are called in the desk. */
export const eventLabels: Record<NotificationEvent, string> = {
  'release.submitted': 'Release submitted',
  'release.question': 'Question in review',
  'release.answer': 'Answer in review',
  'release.decided': 'Release approved or rejected',
  'release.revoked': 'Release revoked',
  'name.transferred': 'Name transferred by an administrator',
  'agent.alert': 'Agent alert',
  'backup.failed': 'Backup failed',
}
