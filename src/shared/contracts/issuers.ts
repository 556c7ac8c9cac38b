import { z } from 'zod'
import { notBlank, requiredText } from './texts.ts'

/** Signature algorithms that an external issuer may use; all of them need a key pair, never a shared secret. */
export const issuerAlgorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const
export type IssuerAlgorithm = (typeof issuerAlgorithms)[number]

/** Compared exactly with what a token says, so never trimmed. */
const text = (max: number): z.ZodString =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(...notBlank)

/** `https`, or `http` where nothing leaves this computer. */
const providerAddress = text(500).refine(
  isProviderAddress,
  'must be an address that starts with https:// (http:// on this computer only), without a name or password in it',
)

/**
 * Where a value stands in a token: `public_metadata.role`, or a list of names where a name itself holds dots:
 * `["https://example.com/roles"]`.
 */
const pathShape = 'must be names joined by dots, such as public_metadata.role, or a list of names'
const claimPath = z.union(
  [
    text(300)
      .transform((path) => path.split('.'))
      .refine((names) => names.every((name) => name !== ''), pathShape),
    z.array(text(300)).min(1).max(10),
  ],
  pathShape,
)

const administrators = z.strictObject({
  subjects: z.array(text(255)).max(1000).default([]),
  /** Count only in tokens that say `email_verified: true`; a provider that never does needs subjects or a claim. */
  emails: z
    .array(
      z
        .string()
        .max(320)
        .regex(/^[^\s@]+@\S+$/, 'must be an e-mail address'),
    )
    .max(1000)
    .default([]),
  /** Matches where the value at the path is this one, or a list that contains it. */
  claim: z
    .strictObject({
      path: claimPath,
      value: z.union([text(300), z.boolean()], 'must be a text, true or false'),
    })
    .optional(),
})

/** An OpenID Connect provider whose tokens are accepted (rulings, "Identity"). */
export const externalIssuerSchema = z.strictObject({
  /** What people call it. */
  name: requiredText(1, 100),
  /** Exactly the `iss` of its tokens, a slash at the end included. */
  issuer: providerAddress.refine((value) => !/[?#]/.test(value), 'must not hold a query or a fragment'),
  /** The `aud` that its tokens carry for this registry; one of them is enough. */
  audience: z
    .union([text(500), z.array(text(500)).min(1).max(20)], 'must be a text or a list of 1 to 20 texts')
    .transform((value) => (typeof value === 'string' ? [value] : value)),
  jwksUrl: providerAddress,
  algorithms: z
    .array(z.enum(issuerAlgorithms))
    .min(1)
    .default((): IssuerAlgorithm[] => ['RS256', 'ES256', 'EdDSA']),
  administrators: administrators.default(() => ({ subjects: [], emails: [] })),
  /** Where a person's name stands. */
  nameClaim: claimPath.default(() => ['name']),
})

export type ExternalIssuer = z.output<typeof externalIssuerSchema>

/** The issuers of the settings; a token names its issuer, so each may stand there once. */
export const externalIssuersSchema = z
  .array(externalIssuerSchema)
  .max(20)
  .superRefine((issuers, context) => {
    for (const key of ['issuer', 'name'] as const) {
      const seen = new Map<string, number>()
      for (const [index, issuer] of issuers.entries()) {
        const earlier = seen.get(issuer[key])
        if (earlier !== undefined) {
          const message = `is the same as issuers.${earlier}.${key}; each may stand there once`
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
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisComputer(url.hostname))
}

function isThisComputer(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
