import { z } from 'zod'
import type { Access } from '../route.ts'
import { requiredText } from './text-schemas.ts'
import { texts } from '../validation.texts.ts'

export const roles = ['developer', 'editor', 'reviewer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** The roles that may call a route, by its contract's `access`. */
export const rolesWith = {
  person: roles,
  editor: ['editor', 'administrator'],
  reviewer: ['reviewer', 'administrator'],
  administrator: ['administrator'],
} as const satisfies Record<Exclude<Access, 'public'>, readonly Role[]>

/** A person with an account. `id` is the `ownerId` of their releases. */
export interface Person<R extends Role = Role> {
  id: number
  issuer: string
  subject: string
  name: string | null
  role: R
}

/** A person who may call routes with this access. Services that record who did something take it. */
export type PersonWith<A extends keyof typeof rolesWith> = Person<(typeof rolesWith)[A][number]>
export type Editor = PersonWith<'editor'>
export type Reviewer = PersonWith<'reviewer'>
export type Administrator = PersonWith<'administrator'>

/** The sign-in name of a person of the built-in issuer. */
export const subjectSchema = z.string().regex(/^[\x21-\x7e]{1,200}$/, texts.subject)

/** Maximum characters of a person's name. */
export const maxPersonNameCharacters = 100
/** Every response about a release contains its publisher's name; the maximum length keeps a page below 2 MiB. */
export const personNameSchema = requiredText(1, maxPersonNameCharacters).regex(
  /^[^\p{Cc}\p{Cs}]*$/u,
  texts.controlCharacters,
)
