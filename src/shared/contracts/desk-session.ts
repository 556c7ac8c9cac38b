import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { deskPersonSchema } from './desk-common.ts'
import { deskChangeSchema } from './desk-services.ts'
import {
  deskSettingSchema,
  portStateSchema,
  settingChangesSchema,
  settingIssuesSchema,
} from './desk-settings.ts'
import { personNameSchema, subjectSchema } from './people.ts'
import { notBlank } from './text-schemas.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

/** Whether a folder can be used as the data folder. */
const folderStateSchema = z
  .strictObject({
    path: z.string(),
    /**
     * `own`: the data folder of these services. `registry`: the data folder of another registry that isn't running.
     * `other`: a folder with other content.
     */
    state: z.enum([
      'own',
      'empty',
      'registry',
      'in use',
      'other',
      'no folder',
      'not writable',
      'too little space',
    ]),
    /** Null if the operating system doesn't report it. */
    freeBytes: z.int().nullable(),
    /** Names of some of the other files in the folder. */
    found: z.array(z.string()),
    /** The operating system's error code. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'FolderState' })
export type FolderState = z.infer<typeof folderStateSchema>

/** The initial data of the first-run page. */
const firstRunSchema = z
  .strictObject({
    dataFolder: z.string(),
    /** False if SKILLDOCK_DATA sets the data folder; the page can't change it then. */
    mayChooseDataFolder: z.boolean(),
    /** The name of this computer in the local network. */
    hostName: z.string(),
    /** False if this registry already has people, or if the example data isn't installed. */
    mayFillDemo: z.boolean(),
    settings: z.array(deskSettingSchema),
  })
  .meta({ id: 'FirstRun' })
export type FirstRun = z.infer<typeof firstRunSchema>

/** The data that a desk page needs before sign-in. */
const deskStateSchema = z
  .strictObject({
    person: deskPersonSchema.nullable(),
    version: z.string().nullable().describe('Null before sign-in at the remote desk.'),
    passkeys: z
      .boolean()
      .describe('Whether this desk has passkeys: for the signed-in person, or for anyone before sign-in.'),
    providers: z
      .array(z.string())
      .describe('The names of the identity providers at which people can sign in to this desk.'),
    firstRun: firstRunSchema
      .nullable()
      .describe(
        'Set while this registry has no administrator: the sign-in code then creates the first one. Always null at the remote desk.',
      ),
    changes: deskChangeSchema
      .nullable()
      .describe(
        'What the next `change` event counts on from, so that a page reads again only what has changed since. Null before sign-in.',
      ),
  })
  .meta({ id: 'DeskState' })
export type DeskState = z.infer<typeof deskStateSchema>

/**
 * The cookie of the remote desk. With this prefix, browsers accept it only over HTTPS and from this host, so that no other
 * host can set it.
 */
export const sessionCookieName = '__Host-skilldock-desk'

/** 256 random bits in base64url. */
export const sessionKeySchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** The result of signing in. */
export const signedInSchema = z
  .strictObject({
    person: deskPersonSchema,
    sessionKey: sessionKeySchema
      .nullable()
      .describe(
        'Send it as `Authorization: Bearer KEY` with every later request. Null at the remote desk, which sets a cookie.',
      ),
  })
  .meta({ id: 'SignedIn' })
export type SignedIn = z.infer<typeof signedInSchema>

const codeSchema = z.string().min(20).max(200)

export const deskSessionRoutes = {
  getDeskState: route('GET /desk/api/state', 'public', {
    summary: 'Get who is signed in to this desk and whether the registry has an administrator',
    reply: reply(deskStateSchema, 'The state'),
    errors: ['DATABASE_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  }),
  signIn: route('POST /desk/api/session', 'public', {
    summary: 'Exchange a sign-in code for a desk session; a code works once, within five minutes',
    rateLimit: 'signIn',
    body: json(z.strictObject({ code: codeSchema })),
    reply: reply(signedInSchema, 'Signed in'),
    errors: ['CODE_INVALID', 'TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  signOut: route('DELETE /desk/api/session', 'person', {
    summary: 'Sign out of this desk',
    reply: reply(successSchema, 'Signed out'),
  }),
}

const firstAdministratorSchema = z.strictObject({
  code: codeSchema,
  subject: subjectSchema,
  name: personNameSchema,
  /** Saved and applied before the response is sent; paths of issues begin with `settings.`. */
  settings: settingChangesSchema.optional(),
})
export type FirstAdministrator = z.output<typeof firstAdministratorSchema>

/** Only on the local listener: the first administrator proves access to the computer. */
export const firstRunRoutes = {
  createFirstAdministrator: route('POST /desk/api/first-run', 'public', {
    summary:
      'Save the given settings, create the first administrator with the code from the first-run link, and sign in',
    body: json(firstAdministratorSchema),
    reply: reply(signedInSchema, 'Signed in'),
    errors: [
      'CODE_INVALID',
      'TOO_MANY_REQUESTS',
      'PERSON_EXISTS',
      'PORT_TAKEN',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
    ],
  }),
  checkDataFolder: route('POST /desk/api/first-run/folder', 'public', {
    summary: 'Check whether a folder can be used as the data folder',
    body: json(
      z.strictObject({
        code: codeSchema,
        path: z
          .string()
          .min(1)
          .max(4096)
          .refine(...notBlank),
      }),
    ),
    reply: reply(folderStateSchema, 'The state of the folder'),
    errors: ['CODE_INVALID', 'TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE'],
  }),
  fillWithDemo: route('POST /desk/api/first-run/demo', 'public', {
    summary: 'Load the demo data into an empty registry and sign in as its administrator',
    body: json(z.strictObject({ code: codeSchema })),
    reply: reply(signedInSchema, 'Signed in'),
    errors: [
      'NOT_FOUND',
      'CODE_INVALID',
      'TOO_MANY_REQUESTS',
      'PERSON_EXISTS',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
    ],
  }),
  checkFirstRun: route('POST /desk/api/first-run/check', 'public', {
    summary: 'Validate the first-run settings without using up the code',
    body: json(z.strictObject({ code: codeSchema, settings: settingChangesSchema })),
    reply: reply(
      z.strictObject({
        ...settingIssuesSchema.shape,
        /** State of the port that the registry would listen on. */
        port: portStateSchema,
      }),
      'The problems found; an empty list means that the settings can be saved',
    ),
    errors: ['CODE_INVALID', 'TOO_MANY_REQUESTS', 'DATABASE_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  }),
}
