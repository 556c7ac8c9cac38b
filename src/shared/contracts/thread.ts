import { z } from 'zod'
import { inDesk, json, reply, route, section } from '../route.ts'
import { successSchema } from './common.ts'
import { instantSchema } from './desk-common.ts'
import { checkIdSchema, fingerprintSchema } from './findings.ts'
import { releaseParams } from './releases.ts'
import { optionalText, requiredText, storedText } from './text-schemas.ts'

/** Maximum characters of a message. */
export const maxMessageLength = 2000
/** Maximum number of questions, and of answers, about one release. */
export const maxMessages = 50
/** Maximum number of messages of one person in any rolling hour. */
export const messagesPerHour = 30

const functionSchema = z.strictObject({
  kind: z.literal('function'),
  index: z.int().min(0).max(4_294_967_295).describe('Its index in the module, imported functions included.'),
  name: optionalText(200).nullable().describe('Its name according to the author of the message.'),
})

/** What a message refers to. */
export const messageAboutSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('finding'),
    fingerprint: fingerprintSchema,
    // Of the finding at that time: a later check may no longer report it.
    check: checkIdSchema,
    title: z.string().max(120),
  }),
  functionSchema,
])
export type MessageAbout = z.infer<typeof messageAboutSchema>

const newAboutSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('finding'), fingerprint: fingerprintSchema }),
  functionSchema,
])
export type NewMessageAbout = z.infer<typeof newAboutSchema>

export const messageKinds = ['question', 'answer'] as const

export const messageSchema = z
  .strictObject({
    id: z.int(),
    kind: z.enum(messageKinds),
    by: z.string(),
    at: instantSchema,
    text: storedText(1, maxMessageLength),
    about: messageAboutSchema.nullable(),
    /** Whether the question requested changes. */
    requestsChanges: z.boolean(),
  })
  .meta({ id: 'ReviewMessage' })
export type Message = z.infer<typeof messageSchema>

/** The state of a thread, for lists. */
export const threadSummarySchema = z
  .strictObject({
    messages: z.int().positive(),
    /** Whether a reviewer has requested changes that the publisher has not answered. False after the decision. */
    changesRequested: z.boolean(),
    /** Who has not answered the last message; null after the decision. */
    waitingFor: z.enum(['publisher', 'reviewer']).nullable(),
  })
  .meta({ id: 'ThreadSummary' })
export type ThreadSummary = z.infer<typeof threadSummarySchema>

export const threadSchema = z
  .strictObject({
    changesRequested: z.boolean(),
    /** Oldest first. */
    messages: z.array(messageSchema),
  })
  .meta({ id: 'ReviewThread' })
export type Thread = z.infer<typeof threadSchema>

/** The text of a message, as submitted. */
export const messageTextSchema = requiredText(1, maxMessageLength)

const answerSchema = z.strictObject({
  text: messageTextSchema,
  about: newAboutSchema.nullable().default(null),
})
export type NewAnswer = z.infer<typeof answerSchema>

const questionSchema = z.strictObject({
  ...answerSchema.shape,
  requestsChanges: z.boolean().default(false).describe('Also marks the release with “changes requested”.'),
})
export type NewQuestion = z.infer<typeof questionSchema>

/** The states of the threads of pending releases that the queue can be filtered by. */
export const threadFilters = ['changes-requested', 'asked', 'answered'] as const
export type ThreadFilter = (typeof threadFilters)[number]

const writeErrors = ['NOT_FOUND', 'THREAD_CLOSED', 'THREAD_FULL', 'QUOTA_EXCEEDED'] as const

/** The thread of a release, for the current owners of its name and for reviewers. It is never public. */
export const threadRoutes = section('Skilldock', {
  getOwnThread: route('GET /api/skilldock/mine/{name}/{version}/thread', 'person', {
    summary: 'Get the conversation with the reviewers of a release of your names',
    scope: 'publish',
    params: releaseParams,
    reply: reply(threadSchema, 'The conversation'),
    errors: ['NOT_FOUND'],
  }),
  answerReview: route('POST /api/skilldock/mine/{name}/{version}/thread', 'person', {
    summary: 'Answer the reviewers of a release of your names',
    scope: 'publish',
    params: releaseParams,
    body: json(answerSchema),
    reply: reply(messageSchema, 'The answer', 201),
    errors: [...writeErrors, 'NOTHING_ASKED'],
  }),
  getReviewThread: route('GET /api/skilldock/review/{name}/{version}/thread', 'reviewer', {
    summary: 'Get the conversation with the publisher of a release',
    params: releaseParams,
    reply: reply(threadSchema, 'The conversation'),
    errors: ['NOT_FOUND'],
  }),
  askPublisher: route('POST /api/skilldock/review/{name}/{version}/thread', 'reviewer', {
    summary: 'Ask the publisher of a pending release, and optionally request changes',
    params: releaseParams,
    body: json(questionSchema),
    reply: reply(messageSchema, 'The question', 201),
    errors: [...writeErrors, 'SELF_REVIEW'],
  }),
  withdrawChangeRequest: route('DELETE /api/skilldock/review/{name}/{version}/change-request', 'reviewer', {
    summary: 'Remove the label “changes requested” from a pending release',
    params: releaseParams,
    reply: reply(successSchema, 'Removed'),
    errors: ['NOT_FOUND'],
  }),
})

export const deskThreadRoutes = inDesk(threadRoutes)
