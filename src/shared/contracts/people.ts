import { z } from 'zod'
import { requiredText } from './texts.ts'

export const roles = ['developer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** A person who may sign in. `id` is what a release carries as `ownerId`. */
export type Person = Developer | Administrator

interface PersonFields {
  id: number
  issuer: string
  subject: string
  name: string | null
}

export interface Developer extends PersonFields {
  role: 'developer'
}

/** Who decides: services that record the person ask for this type. What a route demands is its contract's `access`. */
export interface Administrator extends PersonFields {
  role: 'administrator'
}

/** Rulings, "RegistryVersion.publisher". */
export function publisherName(person: { id: number; name: string | null }): string {
  return person.name ?? `Developer ${person.id}`
}

/** What a person of the built-in issuer signs in as. */
export const subjectSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters without spaces')

/** A publisher's name stands in every answer about their releases; its length keeps a page within 2 MiB. */
export const personNameSchema = requiredText(1, 100).regex(
  /^[^\p{Cc}\p{Cs}]*$/u,
  'must not hold control characters',
)

/** What a list of tokens calls one. */
export const labelSchema = requiredText(1, 100).regex(
  /^[^\p{Cc}\p{Cs}]*$/u,
  'must not hold control characters',
)
