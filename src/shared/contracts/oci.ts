import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { ociManifestType } from '../oci-artifact.ts'
import { document, raw, reply, route, section } from '../route.ts'
import { texts } from '../validation.texts.ts'

/** The most tags on one page. */
const maxTags = 1000

/** The OCI Distribution Specification 1.1, "Pulling manifests": up to 255 characters. */
export const repositoryPattern =
  /^(?=.{1,255}$)[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*$/
/** The OCI Image Specification, "Digests". */
export const digestPattern = /^(?:sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})$/

/** Whether OCI clients use a path; they understand only errors of their own specification. */
export const isOciPath = (path: string): boolean => /^\/v2(?:\/|$)/.test(path)

/** The OCI Distribution Specification 1.1, "Error Codes". */
export const ociErrorSchema = z
  .strictObject({
    errors: z
      .array(
        z.strictObject({
          code: z.string().describe('A code of the OCI Distribution Specification, or of this registry.'),
          message: z.string().describe('What went wrong and, usually, what to do about it.'),
        }),
      )
      .min(1),
  })
  .meta({ id: 'OciErrors' })
export type OciErrors = z.infer<typeof ociErrorSchema>

const renamed: Partial<Record<ErrorCode, string>> = {
  METHOD_NOT_ALLOWED: 'UNSUPPORTED',
  NOT_FOUND: 'NAME_UNKNOWN',
  TOO_MANY_REQUESTS: 'TOOMANYREQUESTS',
}

/** The code in an OCI error; the specification names some of ours differently. */
export const ociCodeOf = (code: ErrorCode): string => renamed[code] ?? code

const tagsSchema = z.strictObject({ name: z.string(), tags: z.array(z.string()) }).meta({ id: 'OciTags' })

const name = z.string().describe('The name of a skill.')
const digest = z.string().describe('`sha256:` and 64 hexadecimal digits.')
const nameErrors = ['NAME_UNKNOWN', 'NAME_INVALID', 'DATABASE_UNAVAILABLE'] as const

/** The endpoints for clients of OCI registries (rulings, "OCI"). Keys are operationIds. */
export const ociRoutes = section('OCI', {
  checkOciApi: route('GET /v2/', 'public', {
    summary: 'Tell OCI clients that this is a registry',
    reply: reply(z.strictObject({}), 'The OCI Distribution Specification is supported'),
  }),
  listTags: route('GET /v2/{name}/tags/list', 'public', {
    summary: 'List the approved versions of a skill, and `latest`, in lexical order',
    rateLimit: 'search',
    params: z.object({ name }),
    query: z.object({
      n: z
        .string()
        .regex(/^\d{1,9}$/, texts.wholeNumber)
        .transform((text) => Math.min(Number(text), maxTags))
        .default(maxTags)
        .describe(`The most tags to list; a page never has more than ${maxTags}.`)
        .meta({ override: { type: 'integer', minimum: 0, default: maxTags } }),
      last: z.string().default('').describe('Lists the tags after this one.'),
    }),
    reply: reply(tagsSchema, 'The tags; the header `Link` has the next page, if there is one'),
    errors: ['TOO_MANY_REQUESTS', ...nameErrors],
  }),
  getOciManifest: route('GET /v2/{name}/manifests/{reference}', 'public', {
    summary: 'Get the image manifest of an approved release',
    params: z.object({
      name,
      reference: z.string().describe('A version, `latest`, or the digest of a manifest.'),
    }),
    reply: raw(ociManifestType, 'The manifest, which is always the same for a release'),
    errors: ['MANIFEST_UNKNOWN', 'DIGEST_INVALID', ...nameErrors],
  }),
  getBlob: route('GET /v2/{name}/blobs/{digest}', 'public', {
    summary: 'Download the module or get the config of an approved release',
    params: z.object({ name, digest }),
    reply: document('application/octet-stream', 'The module or the config'),
    errors: [
      'BLOB_UNKNOWN',
      'DIGEST_INVALID',
      'TOO_MANY_REQUESTS',
      'STORAGE_UNAVAILABLE',
      'PACKAGE_CORRUPT',
      ...nameErrors,
    ],
  }),
  listReferrers: route('GET /v2/{name}/referrers/{digest}', 'public', {
    summary: 'List the manifests that refer to another one; the list is always empty',
    params: z.object({ name, digest }),
    reply: raw('application/vnd.oci.image.index.v1+json', 'An empty image index'),
    errors: ['DIGEST_INVALID', ...nameErrors],
  }),
})
