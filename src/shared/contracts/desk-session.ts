import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { deskPersonSchema } from './desk-common.ts'
import { personNameSchema, subjectSchema } from './people.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** What a page needs before anybody has signed in. */
export const deskStateSchema = z
  .strictObject({
    person: deskPersonSchema.nullable(),
    /** True where nobody administers this registry yet; the sign-in code then makes the first one. */
    needsAdministrator: z.boolean(),
    version: z.string(),
    dataFolder: z.string().nullable().describe('Shown on the first-run page; null for everybody else.'),
  })
  .meta({ id: 'DeskState' })
export type DeskState = z.infer<typeof deskStateSchema>

const codeSchema = z.string().min(20).max(200)

export const deskSessionRoutes = {
  getDeskState: route({
    method: 'GET',
    path: '/desk/api/state',
    tag: 'Desk',
    summary: 'Tell who is signed in at this desk and whether there is an administrator yet',
    access: 'public',
    reply: reply(deskStateSchema, 'The state'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  signIn: route({
    method: 'POST',
    path: '/desk/api/session',
    tag: 'Desk',
    summary: 'Exchange a sign-in code, once and within five minutes, for a desk session',
    access: 'public',
    body: json(z.strictObject({ code: codeSchema })),
    reply: reply(z.strictObject({ person: deskPersonSchema }), 'Signed in; the session is in the cookie'),
    errors: ['CODE_INVALID', 'TOO_MANY_REQUESTS', 'ORIGIN_FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  createFirstAdministrator: route({
    method: 'POST',
    path: '/desk/api/first-run',
    tag: 'Desk',
    summary: 'Make the first administrator with the code of the first-run link, and sign in',
    access: 'public',
    body: json(z.strictObject({ code: codeSchema, subject: subjectSchema, name: personNameSchema })),
    reply: reply(z.strictObject({ person: deskPersonSchema }), 'Signed in; the session is in the cookie'),
    errors: [
      'CODE_INVALID',
      'TOO_MANY_REQUESTS',
      'ORIGIN_FORBIDDEN',
      'PERSON_EXISTS',
      'DATABASE_UNAVAILABLE',
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
