import { z } from 'zod'
import type { ExternalIssuer, RoleHolders } from '../../../shared/contracts/issuers.ts'
import type { Role } from '../../../shared/contracts/people.ts'
import { personNameSchema } from '../../../shared/contracts/people.ts'

export type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core, section 2: at most 255 characters; control characters are rejected as well. */
export const externalSubjectSchema = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u)

/** The value at a path of names, or undefined. */
function valueAt(claims: Claims, path: readonly string[]): unknown {
  let value: unknown = claims
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Claims)[name]
  }
  return value
}

/** The role that the configuration gives to the bearer of these verified claims (rulings, "Identity"). */
export function roleOf({ administrators, reviewers, editors }: ExternalIssuer, claims: Claims): Role {
  if (areAmong(administrators, claims)) return 'administrator'
  if (reviewers !== undefined && areAmong(reviewers, claims)) return 'reviewer'
  return editors !== undefined && areAmong(editors, claims) ? 'editor' : 'developer'
}

function areAmong({ subjects, emails, claim }: RoleHolders, claims: Claims): boolean {
  return (
    subjects.some((subject) => subject === claims['sub']) ||
    isListed(emails, claims) ||
    (claim !== undefined && matches(valueAt(claims, claim.path), claim.value))
  )
}

/** An unverified address could be anything that the user has typed, so it never counts. */
function isListed(emails: readonly string[], claims: Claims): boolean {
  const email = claims['email']
  if (typeof email !== 'string' || claims['email_verified'] !== true) return false
  return emails.some((listed) => lowerCase(listed) === lowerCase(email))
}

/** ASCII only, because full Unicode case folding maps different addresses to one: the Kelvin sign becomes a `k`. */
function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function matches(found: unknown, expected: string | boolean): boolean {
  return Array.isArray(found) ? found.includes(expected) : found === expected
}

/** The name in the claims; null if it is missing or not displayable. */
export function nameOf(issuer: ExternalIssuer, claims: Claims): string | null {
  return personNameSchema.safeParse(valueAt(claims, issuer.nameClaim)).data ?? null
}
