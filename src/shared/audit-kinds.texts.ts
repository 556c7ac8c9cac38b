/**
 * Every kind of event in the audit log with its label, in the groups of its filter. A type of the transparency log that is
 * missing here does not compile (`AuditKind`).
 */
export const auditGroups = {
  releases: {
    label: 'Releases and decisions',
    kinds: {
      submitted: 'submitted',
      approved: 'approved',
      rejected: 'rejected',
      revoked: 'revoked',
      deprecated: 'deprecated',
      'deprecation.withdrawn': 'deprecation withdrawn',
      'deprecation.changed': 'deprecation changed',
      'deprecation.deleted': 'deprecation deleted',
      judged: 'finding dismissed',
      withdrawn: 'finding reopened',
      'approval.first': 'first approval',
      'approval.withdrawn': 'first approval withdrawn',
      'approval.changed': 'first approval changed',
      'approval.deleted': 'first approval deleted',
      'question.asked': 'question asked',
      'answer.given': 'question answered',
      'changes.resolved': 'change request resolved',
      'message.changed': 'message changed',
      'message.deleted': 'message deleted',
      'provenance.recorded': 'provenance recorded',
      'provenance.changed': 'provenance changed',
      'provenance.deleted': 'provenance deleted',
      'release.changed': 'release changed',
      'release.deleted': 'release deleted',
      'decision.changed': 'decision changed',
      'decision.deleted': 'decision deleted',
      'dismissal.changed': 'dismissal changed',
      'dismissal.deleted': 'dismissal deleted',
    },
  },
  owners: {
    label: 'Owners of names',
    kinds: {
      'owner.added': 'owner added',
      'owner.changed': 'owner changed',
      'owner.ended': 'ownership ended',
      'owner.deleted': 'owner deleted',
      'offer.made': 'ownership offered',
      'offer.accepted': 'offer accepted',
      'offer.declined': 'offer declined',
      'offer.withdrawn': 'offer withdrawn',
      'offer.expired': 'offer expired',
      'offer.changed': 'offer changed',
      'offer.deleted': 'offer deleted',
      'publisher.added': 'trusted publisher added',
      'publisher.changed': 'trusted publisher changed',
      'publisher.removed': 'trusted publisher removed',
      'publisher.deleted': 'trusted publisher deleted',
    },
  },
  people: {
    label: 'People and roles',
    kinds: {
      'person.added': 'person added',
      'person.changed': 'person changed',
      'person.removed': 'person removed',
      'person.deleted': 'person deleted',
    },
  },
  tokens: {
    label: 'Tokens',
    kinds: {
      'token.created': 'token created',
      'token.exchanged': 'token issued to a trusted publisher',
      'token.changed': 'token changed',
      'token.revoked': 'token revoked',
      'token.deleted': 'token deleted',
    },
  },
  'sign-ins': {
    label: 'Sign-ins',
    kinds: {
      'session.invited': 'sign-in link created',
      'session.started': 'signed in',
      'session.ended': 'session ended',
      'session.refused': 'sign-in refused',
      'terminal.denied': 'terminal sign-in denied',
      'passkey.added': 'passkey added',
      'passkey.changed': 'passkey changed',
      'passkey.removed': 'passkey removed',
      'passkey.deleted': 'passkey deleted',
    },
  },
  notifications: {
    label: 'Notifications',
    kinds: {
      'webhook.created': 'webhook created',
      'webhook.changed': 'webhook changed',
      'webhook.deleted': 'webhook deleted',
      'mail.added': 'e-mail address added',
      'mail.changed': 'e-mail notifications changed',
      'mail.removed': 'e-mail address removed',
    },
  },
  settings: { label: 'Settings', kinds: { 'settings.changed': 'settings changed' } },
  blog: {
    label: 'Blog',
    kinds: {
      'post.created': 'post created',
      'post.changed': 'post changed',
      'post.published': 'post published',
      'post.unpublished': 'post unpublished',
      'post.deleted': 'post deleted',
    },
  },
  showcase: {
    label: 'Showcase',
    kinds: {
      'project.submitted': 'project submitted',
      'project.changed': 'project changed',
      'project.approved': 'project approved',
      'project.rejected': 'project rejected',
      'project.deleted': 'project deleted',
    },
  },
  images: {
    label: 'Images',
    kinds: {
      'image.added': 'image added',
      'image.changed': 'image changed',
      'image.removed': 'image removed',
    },
  },
} as const

export type AuditGroup = keyof typeof auditGroups
type KindsOf<Group extends AuditGroup> = Group extends AuditGroup
  ? keyof (typeof auditGroups)[Group]['kinds']
  : never
export type AuditKind = KindsOf<AuditGroup>

export const auditGroupNames = Object.keys(auditGroups) as AuditGroup[]
export const kindsOfGroup = (group: AuditGroup): AuditKind[] =>
  Object.keys(auditGroups[group].kinds) as AuditKind[]
export const auditKinds = auditGroupNames.flatMap(kindsOfGroup)

export const auditKindLabels = Object.assign(
  {},
  ...Object.values(auditGroups).map(({ kinds }) => kinds),
) as Record<AuditKind, string>

/** Events of releases have had these names since before the transparency log. */
const kindOfType = {
  'release.submitted': 'submitted',
  'release.approved': 'approved',
  'release.rejected': 'rejected',
  'release.revoked': 'revoked',
  'release.deprecated': 'deprecated',
  'dismissal.added': 'judged',
  'dismissal.withdrawn': 'withdrawn',
} as const satisfies Record<string, AuditKind>

/** The `type` of an entry of the transparency log. */
export type LogType =
  | keyof typeof kindOfType
  | Exclude<AuditKind, (typeof kindOfType)[keyof typeof kindOfType]>

export function auditKindOf(type: LogType): AuditKind {
  return (kindOfType as Partial<Record<LogType, AuditKind>>)[type] ?? (type as AuditKind)
}
