import { z } from 'zod'
import { slugSchema } from '../../shared/contracts/content.ts'
import { alertKinds } from '../../shared/contracts/desk-agents-common.ts'
import { instantSchema } from '../../shared/contracts/desk-common.ts'
import { lostCauses } from '../../shared/contracts/desk-decisions.ts'
import { auditKinds } from '../../shared/audit-kinds.texts.ts'
import { auditChannels } from '../../shared/contracts/desk-audit-log.ts'
import { projectStatuses } from '../../shared/contracts/desk-projects.ts'
import { checkIdSchema, fingerprintSchema } from '../../shared/contracts/findings.ts'
import { imageTypes, renditionSchema } from '../../shared/contracts/images.ts'
import { offerAnswers, offerKinds } from '../../shared/contracts/owners.ts'
import { deliveryStatuses, webhookUrlSchema } from '../../shared/contracts/desk-webhooks.ts'
import {
  deliveryEvents,
  mailAddressSchema,
  notificationEvents,
} from '../../shared/contracts/notifications.ts'
import { roles } from '../../shared/contracts/people.ts'
import { releaseStatuses } from '../../shared/contracts/releases.ts'
import { skillNameSchema, versionSchema } from '../../shared/contracts/manifest.ts'
import { reviewActions } from '../../shared/contracts/decisions.ts'
import { messageKinds, messageSchema } from '../../shared/contracts/thread.ts'
import { storedJson } from '../db/stored-text.ts'

/** The check with this name compares the column with the data that it derives from. */
interface ComparedBy {
  comparedBy: string
}
export type ColumnRule = z.ZodType | ComparedBy

const comparedBy = (check: string): ComparedBy => ({ comparedBy: check })
const text = z.string()
const time = instantSchema
const digest = z.string().regex(/^[a-f0-9]{64}$/, 'must be a SHA-256 in hexadecimal')
const base64url = z.base64url()
const count = z.int().min(0)
const eventList = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(z.enum(notificationEvents)))
const heldActions = ['approved', 'rejected'] as const

/**
 * The valid values of each column, by table. The database schema decides about null. Every TEXT or BLOB column has a
 * rule (tests/operations/verify-columns.test.ts); numbers have one only if a wrong value would break a reader.
 */
export const columnRules: Record<string, Record<string, ColumnRule>> = {
  people: {
    issuer: text,
    subject: text,
    name: text,
    role: z.enum(roles),
    created_at: time,
    removed_at: time,
  },
  tokens: {
    jti: text,
    label: text,
    scope: z.enum(['publish', 'admin']),
    created_at: time,
    expires_at: time,
    revoked_at: time,
    last_used_at: time,
  },
  skill_names: {
    name: skillNameSchema,
    skeleton: comparedBy('names'),
    first_approved_at: comparedBy('names'),
  },
  name_owners: { name: skillNameSchema, since: time, reason: text, ended_at: time },
  owner_offers: {
    name: skillNameSchema,
    kind: z.enum(offerKinds),
    offered_at: time,
    expires_at: time,
    outcome: z.enum([...offerAnswers, 'expired']),
    ended_at: time,
  },
  trusted_publishers: {
    identity: storedJson['trusted_publishers.identity'],
    pins: storedJson['trusted_publishers.pins'],
    added_at: time,
    removed_at: time,
  },
  token_exchanges: {
    jti: text,
    token_hash: digest,
    provenance: storedJson['token_exchanges.provenance'],
    exchanged_at: time,
    expires_at: time,
  },
  releases: {
    name: skillNameSchema,
    version: versionSchema,
    sha256: comparedBy('releases'),
    status: z.enum(releaseStatuses),
    created_at: time,
    review_reason: comparedBy('releases'),
  },
  release_provenance: { provenance: storedJson['release_provenance.provenance'] },
  release_manifests: { manifest: comparedBy('releases') },
  release_bodies: { body: comparedBy('releases') },
  release_texts: { text: comparedBy('releases') },
  release_modules: { facts: storedJson['release_modules.facts'] },
  release_checks: {
    version: text,
    checked_at: time,
    findings: storedJson['release_checks.findings'],
    growth: storedJson['release_checks.growth'],
    errors: count,
    warnings: count,
  },
  release_downloads: { n: count },
  mirror: {
    origin: z.url(),
    log: text,
    keys: storedJson['mirror.keys'],
    rotations: storedJson['mirror.rotations'],
    checked_at: time,
    problem: text,
  },
  mirrored_releases: {
    name: skillNameSchema,
    version: versionSchema,
    sha256: digest,
    action: z.enum(['approved', 'revoked']),
    kid: text,
    envelope: storedJson['mirrored_releases.envelope'],
  },
  decisions: { action: z.enum(reviewActions), reason: text, decided_at: time },
  decision_evidence: { evidence: storedJson['decision_evidence.evidence'] },
  deprecations: { reason: text, successor: text, deprecated_at: time, withdrawn_at: time },
  first_approvals: {
    reason: text,
    approved_at: time,
    evidence: storedJson['first_approvals.evidence'],
    withdrawn_at: time,
  },
  decision_findings: { findings: storedJson['decision_findings.findings'] },
  held_decisions: {
    action: z.enum(heldActions),
    reason: text,
    held_at: time,
    due_at: time,
    evidence: storedJson['held_decisions.evidence'],
  },
  lost_decisions: {
    action: z.enum(heldActions),
    reason: text,
    held_at: time,
    cause: z.enum(lostCauses),
    dismissed_at: time,
  },
  judgements: {
    name: skillNameSchema,
    check_id: checkIdSchema,
    fingerprint: fingerprintSchema,
    reason: text,
    judged_at: time,
    withdrawn_at: time,
  },
  review_messages: {
    kind: z.enum(messageKinds),
    at: time,
    text: messageSchema.shape.text,
    about: storedJson['review_messages.about'],
    resolved_at: time,
  },
  history: {
    at: time,
    kind: z.enum(auditKinds),
    channel: z.enum(auditChannels),
    address: text,
    name: text,
    details: storedJson['history.details'],
    count: z.int().positive(),
    last_at: time,
  },
  canned_reasons: { action: z.enum(reviewActions), label: text, sentence: text },
  desk_sessions: {
    token_hash: digest,
    label: text,
    created_at: time,
    last_seen_at: time,
    expires_at: time,
    ended_at: time,
  },
  passkeys: {
    credential_id: base64url,
    public_key: base64url,
    label: text,
    created_at: time,
    last_used_at: time,
    removed_at: time,
  },
  sign_in_codes: { code_hash: digest, expires_at: time, used_at: time },
  desk_topics: { topic: comparedBy('counters') },
  images: {
    sha256: digest,
    type: z.enum(imageTypes),
    width: renditionSchema.shape.width,
    height: renditionSchema.shape.height,
    frames: z.int().positive(),
    uploaded_at: time,
  },
  renditions: {
    image: digest,
    step: renditionSchema.shape.step,
    sha256: digest,
    type: z.enum(imageTypes),
    width: renditionSchema.shape.width,
    height: renditionSchema.shape.height,
  },
  image_uses: { image: digest, kind: z.enum(['post', 'project']) },
  posts: {
    title: comparedBy('posts'),
    slug: comparedBy('posts'),
    content: comparedBy('posts'),
    created_at: time,
    updated_at: time,
    publish_at: time,
  },
  post_versions: {
    kind: z.enum(['autosaved', 'published', 'restored']),
    slug: z.union([slugSchema, z.literal('')]),
    content: storedJson['post_versions.content'],
    saved_at: time,
  },
  post_slugs: { slug: comparedBy('posts') },
  projects: {
    slug: comparedBy('projects'),
    title: comparedBy('projects'),
    author: comparedBy('projects'),
    content: comparedBy('projects'),
    status: z.enum(projectStatuses),
    reason: text,
    submitted_at: time,
    updated_at: time,
    decided_at: time,
  },
  log_entries: {
    subject: comparedBy('transparency log'),
    entry: comparedBy('transparency log'),
    salt: comparedBy('transparency log'),
    details: comparedBy('transparency log'),
  },
  log_nodes: { hash: comparedBy('transparency log') },
  webhooks: { url: webhookUrlSchema, events: eventList, secret: text, created_at: time, disabled_at: time },
  mail_subscriptions: {
    address: mailAddressSchema,
    events: z.union([eventList, z.literal('')]),
    verified_at: time,
    code: text,
    code_expires_at: time,
    wrong_codes: count,
  },
  deliveries: {
    recipient: z.string().regex(/^(?:webhook|person)\/[1-9]\d*$/),
    message_id: text,
    event: z.enum(deliveryEvents),
    body: text,
    created_at: time,
    status: z.enum(deliveryStatuses),
    attempted_at: time,
    problem: text,
    next_at: time,
  },
  agent_projects: { folder: text, shown_at: time },
  agent_alerts: {
    folder: text,
    kind: z.enum(alertKinds),
    key: text,
    // In the format of the agent project.
    since: text,
    first_seen_at: time,
    ended_at: time,
    told_at: time,
    seen_at: time,
  },
}
