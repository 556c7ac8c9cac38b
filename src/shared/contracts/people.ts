import { z } from 'zod'
import { requiredText } from './texts.ts'
import { texts } from '../validation.texts.ts'

export const roles = ['developer', 'administrator'] as const
export type Role = (typeof roles)[number]

/** A person with an account. `id` is the `ownerId` of their releases. */
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

/** Services that record who made a decision take this type. Which role a route requires is its contract's `access`. */
export interface Administrator extends PersonFields {
  role: 'administrator'
}

/** The sign-in name of a person of the built-in issuer. */
export const subjectSchema = z.string().regex(/^[\x21-\x7e]{1,200}$/, texts.subject)

/** Every response about a release contains its publisher's name; the maximum length keeps a page below 2 MiB. */
export const personNameSchema = requiredText(1, 100).regex(/^[^\p{Cc}\p{Cs}]*$/u, texts.controlCharacters)

/** The label of a token, as shown in lists. */
export const labelSchema = requiredText(1, 100).regex(/^[^\p{Cc}\p{Cs}]*$/u, texts.controlCharacters)
