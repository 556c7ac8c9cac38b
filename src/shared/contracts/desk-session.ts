import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { deskPersonSchema } from './desk-common.ts'
import {
  deskSettingSchema,
  portStateSchema,
  settingChangesSchema,
  settingIssuesSchema,
} from './desk-settings.ts'
import { personNameSchema, subjectSchema } from './people.ts'
import { notBlank } from './texts.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** Whether the data can lie in a folder. */
export const folderStateSchema = z
  .strictObject({
    path: z.string(),
    /**
     * `own`: these services keep their data there. `registry`: that of another one, which nobody serves now.
     * `other`: it holds something else.
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
    /** Null where the system does not tell. */
    freeBytes: z.int().nullable(),
    /** Some of the names of what else it holds. */
    found: z.array(z.string()),
    /** The system's code for what went wrong. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'FolderState' })
export type FolderState = z.infer<typeof folderStateSchema>

/** What the first-run page begins with. */
export const firstRunSchema = z
  .strictObject({
    dataFolder: z.string(),
    /** False where SKILLDOCK_DATA names the data folder: then nobody can choose another one. */
    mayChooseDataFolder: z.boolean(),
    /** Of this computer, as others may know it in the local network. */
    hostName: z.string(),
    /** False where somebody is known to this registry already, and where the examples are not there. */
    mayFillDemo: z.boolean(),
    settings: z.array(deskSettingSchema),
  })
  .meta({ id: 'FirstRun' })
export type FirstRun = z.infer<typeof firstRunSchema>

/** What a page needs before anybody has signed in. */
export const deskStateSchema = z
  .strictObject({
    person: deskPersonSchema.nullable(),
    /** True where nobody administers this registry yet; the sign-in code then makes the first one. */
    needsAdministrator: z.boolean(),
    version: z.string(),
    dataFolder: z.string().nullable().describe('Shown on the first-run page; null for everybody else.'),
    firstRun: firstRunSchema.nullable().describe('Null where there is an administrator.'),
  })
  .meta({ id: 'DeskState' })
export type DeskState = z.infer<typeof deskStateSchema>

/** 256 random bits in base64url. */
export const sessionKeySchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** Who has just signed in. The key goes into the header `Authorization: Bearer KEY` of every later call. */
export const signedInSchema = z
  .strictObject({
    person: deskPersonSchema,
    sessionKey: sessionKeySchema,
  })
  .meta({ id: 'SignedIn' })
export type SignedIn = z.infer<typeof signedInSchema>

const codeSchema = z.string().min(20).max(200)

export const deskSessionRoutes = {
  getDeskState: route({
    method: 'GET',
    path: '/desk/api/state',
    tag: 'Desk',
    summary: 'Tell who is signed in at this desk and whether there is an administrator yet',
    access: 'public',
    reply: reply(deskStateSchema, 'The state'),
    errors: ['DATABASE_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  }),
  signIn: route({
    method: 'POST',
    path: '/desk/api/session',
    tag: 'Desk',
    summary: 'Exchange a sign-in code, once and within five minutes, for a desk session',
    access: 'public',
    body: json(z.strictObject({ code: codeSchema })),
    reply: reply(signedInSchema, 'Signed in'),
    errors: ['CODE_INVALID', 'TOO_MANY_REQUESTS', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  createFirstAdministrator: route({
    method: 'POST',
    path: '/desk/api/first-run',
    tag: 'Desk',
    summary:
      'Save the settings, where there are any, make the first administrator with the code of the first-run link, ' +
      'and sign in',
    access: 'public',
    body: json(
      z.strictObject({
        code: codeSchema,
        subject: subjectSchema,
        name: personNameSchema,
        /** Saved and in effect before the answer; the paths of issues begin with `settings.`. */
        settings: settingChangesSchema.optional(),
      }),
    ),
    reply: reply(signedInSchema, 'Signed in'),
    errors: [
      'CODE_INVALID',
      'TOO_MANY_REQUESTS',
      'ORIGIN_FORBIDDEN',
      'PERSON_EXISTS',
      'PORT_TAKEN',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
    ],
  }),
  signOut: route({
    method: 'DELETE',
    path: '/desk/api/session',
    tag: 'Desk',
    summary: 'End this desk session',
    access: 'person',
    reply: reply(successSchema, 'Signed out'),
    errors: ['ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
}

export const firstRunRoutes = {
  checkDataFolder: route({
    method: 'POST',
    path: '/desk/api/first-run/folder',
    tag: 'Desk',
    summary: 'Tell whether the data can lie in a folder, before it is chosen',
    access: 'public',
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
    errors: ['CODE_INVALID', 'TOO_MANY_REQUESTS', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  fillWithDemo: route({
    method: 'POST',
    path: '/desk/api/first-run/demo',
    tag: 'Desk',
    summary: 'Fill an empty registry with the demo, and sign in as its administrator',
    access: 'public',
    body: json(z.strictObject({ code: codeSchema })),
    reply: reply(signedInSchema, 'Signed in'),
    errors: [
      'NOT_FOUND',
      'CODE_INVALID',
      'TOO_MANY_REQUESTS',
      'ORIGIN_FORBIDDEN',
      'PERSON_EXISTS',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
    ],
  }),
  checkFirstRun: route({
    method: 'POST',
    path: '/desk/api/first-run/check',
    tag: 'Desk',
    summary: 'Tell what is wrong with settings of the first run, without using the code',
    access: 'public',
    body: json(z.strictObject({ code: codeSchema, settings: settingChangesSchema })),
    reply: reply(
      z.strictObject({
        ...settingIssuesSchema.shape,
        /** State of the port of the registry as it would be. */
        port: portStateSchema,
      }),
      'Each thing that is wrong; none means that they can be saved',
    ),
    errors: [
      'CODE_INVALID',
      'TOO_MANY_REQUESTS',
      'ORIGIN_FORBIDDEN',
      'DATABASE_UNAVAILABLE',
      'STORAGE_UNAVAILABLE',
    ],
  }),
}
