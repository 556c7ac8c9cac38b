import { z } from 'zod'
import { isLoopbackName } from '../network-address.ts'
import { notBlank, requiredText } from './text-schemas.ts'
import { texts } from '../validation.texts.ts'

/** Signature algorithms that an external issuer may use; all of them are asymmetric. */
export const issuerAlgorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const
export type IssuerAlgorithm = (typeof issuerAlgorithms)[number]

/** Compared exactly with the claims of a token, so never trimmed. */
const text = (max: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(...notBlank)

/** `https`, or `http` for a provider on this computer. */
const providerAddressSchema = text(500).refine(isProviderAddress, texts.providerUrl)

/** Exactly the `iss` of a provider's tokens, including any trailing slash. */
export const issuerSchema = providerAddressSchema.refine((value) => !/[?#]/.test(value), texts.query)

/**
 * The path of a claim in a token, such as `public_metadata.role`. A list of names is for names that contain dots, such
 * as `["https://example.com/roles"]`.
 */
const claimPath = z.union(
  [
    text(300)
      .transform((path) => path.split('.'))
      .refine((names) => names.every((name) => name !== ''), texts.claimPath),
    z.array(text(300)).min(1).max(10),
  ],
  texts.claimPath,
)

/** Which of an issuer's people have a role. */
const holdersSchema = z.strictObject({
  subjects: z.array(text(255)).max(1000).default([]),
  /** Match only tokens with `email_verified: true`; for providers that never set it, use subjects or a claim. */
  emails: z
    .array(
      z
        .string()
        .max(320)
        .regex(/^[^\s@]+@\S+$/, texts.email),
    )
    .max(1000)
    .default([]),
  /** Matches if the value at the path equals this value or is a list that contains it. */
  claim: z
    .strictObject({
      path: claimPath,
      value: z.union([text(300), z.boolean()], texts.claimValue),
    })
    .optional(),
})

/** The client that the desk is at the provider, with which people sign in to the remote desk (decision 026). */
const deskClient = z.strictObject({
  clientId: text(300),
  /** Without it, the desk is a public client. */
  clientSecret: text(500).optional(),
  /** How the secret is sent: in the `Authorization` header or in the body (OpenID Connect Core, section 9). */
  tokenEndpointAuthMethod: z
    .enum(['client_secret_basic', 'client_secret_post'])
    .default('client_secret_basic'),
  scope: text(500).default('openid profile email'),
})

/** An OpenID Connect provider whose tokens are accepted (rulings, "Identity"). */
export const externalIssuerSchema = z.strictObject({
  /** The name shown in the desk. */
  name: requiredText(1, 100),
  issuer: issuerSchema,
  /** The `aud` of its tokens for this registry; a token must have at least one of them. */
  audience: z
    .union([text(500), z.array(text(500)).min(1).max(20)], texts.audience)
    .transform((value) => (typeof value === 'string' ? [value] : value)),
  jwksUrl: providerAddressSchema,
  algorithms: z
    .array(z.enum(issuerAlgorithms))
    .min(1)
    .default((): IssuerAlgorithm[] => ['RS256', 'ES256', 'EdDSA']),
  administrators: holdersSchema.default(() => ({ subjects: [], emails: [] })),
  reviewers: holdersSchema.optional(),
  editors: holdersSchema.optional(),
  /** The claim with the person's name. */
  nameClaim: claimPath.default(() => ['name']),
  desk: deskClient.optional(),
})

export type ExternalIssuer = z.output<typeof externalIssuerSchema>
export type RoleHolders = z.output<typeof holdersSchema>

/** The configured issuers. Tokens are matched to them by `iss`, so each must be unique. */
export const externalIssuersSchema = z
  .array(externalIssuerSchema)
  .max(20)
  .superRefine((issuers, context) => {
    for (const key of ['issuer', 'name'] as const) {
      const seen = new Map<string, number>()
      for (const [index, issuer] of issuers.entries()) {
        const earlier = seen.get(issuer[key])
        if (earlier !== undefined) {
          const message = texts.repeatedIssuer(earlier, key)
          context.addIssue({ code: 'custom', path: [index, key], message })
        }
        seen.set(issuer[key], index)
      }
    }
  })

function isProviderAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))
}
