import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { releaseRoutes } from '../../shared/contracts/releases.ts'
import { skillNameSchema, versionSchema } from '../../shared/contracts/manifest.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { addressOf } from '../../shared/route-call.ts'
import type { Arguments, JsonRoute, Sent, Shape } from '../../shared/route-call.ts'
import type { JsonBody } from '../../shared/route.ts'
import { ClientError, usageError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { readBody, send } from './http.ts'
import type { HttpOptions, RequestBody } from './http.ts'
import { mismatch } from './http-errors.ts'
import { addressText } from './registry-address.ts'
import { texts } from './registry.texts.ts'
import { parseLoosely } from '../parse-loosely.ts'

/** A full page of the largest manifests is 1.7 MB. */
const maxResponseBytes = 4 * 1024 * 1024

/** Resolves to the token, or null if the user is not signed in. Not called for public endpoints. */
type TokenSource = () => Promise<string | null>

/** The endpoints of one registry, called with the token saved for it. */
export interface Registry {
  address: URL
  /** The address, without a slash at its end. */
  url: string
  /** The host that answers: of the registry itself, or of its mirror. */
  host: string
  /** Calls an endpoint of the contract. Throws ClientError unless it succeeds. */
  call<P extends Shape, Q extends Shape, B extends JsonBody | undefined, T extends z.ZodType>(
    route: JsonRoute<P, Q, B, T>,
    ...input: Arguments<P, Q, B>
  ): Promise<z.output<T>>
  /** Sends a body that is not JSON and parses the response with the schema. */
  post<T extends z.ZodType>(path: string, body: RequestBody, schema: T): Promise<z.output<T>>
  /** The response of an endpoint that returns bytes, for `forEachChunk`; 304 if the bytes have this ETag. */
  open(path: string, accept: string, ifNoneMatch?: string): Promise<{ url: URL; response: IncomingMessage }>
  options: HttpOptions
}

/** `at` is where requests are sent: the registry itself, or a mirror of it. */
export function createRegistry(
  address: URL,
  getToken: TokenSource,
  options: HttpOptions,
  at = address,
): Registry {
  const urlOf = (path: string): URL => new URL(`${addressText(at)}${path}`)
  /** The token is sent only to endpoints that require one. */
  const tokenFor = async (access: string): Promise<string | null> => {
    if (access === 'public') return null
    const token = await getToken()
    if (token !== null) return token
    throw new ClientError(exitCodes.notAllowed, texts.response.notSignedIn(address.host, options.signIn), {
      code: 'NOT_SIGNED_IN',
    })
  }
  const read = async <T extends z.ZodType>(
    url: URL,
    response: IncomingMessage,
    schema: T,
  ): Promise<z.output<T>> => {
    const bytes = await readBody(url, response, maxResponseBytes, options)
    const value = parseLoosely(schema, bytes.toString())
    if (value === null) throw mismatch(texts.response.unreadable(url.host), 'ANSWER_UNREADABLE')
    return value
  }

  return {
    address,
    url: addressText(address),
    host: at.host,
    options,
    async call(route, ...[input]) {
      const { params, query, body }: Sent = input ?? {}
      const url = urlOf(addressOf(route.path, params, query))
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body))
      const response = await send(
        {
          method: route.method,
          url,
          token: await tokenFor(route.access),
          ...(bytes === null ? {} : { body: bytesBody('application/json', bytes) }),
        },
        options,
      )
      return read(url, response, route.reply.schema)
    },
    async post(path, body, schema) {
      const url = urlOf(path)
      const token = await tokenFor('person')
      return read(url, await send({ method: 'POST', url, token, body }, options), schema)
    },
    async open(path, accept, ifNoneMatch) {
      const url = urlOf(path)
      return { url, response: await send({ method: 'GET', url, accept, ifNoneMatch }, options) }
    },
  }
}

/** `NAME` or `NAME@VERSION` on a command line. */
export interface ReleaseName {
  name: string
  /** Null for the latest version. */
  version: string | null
}

/** Throws if the text is neither. */
export function readReleaseName(text: string): ReleaseName {
  const [name = '', version = null, ...rest] = text.split('@')
  const isName = skillNameSchema.safeParse(name).success
  const isVersion = version === null || versionSchema.safeParse(version).success
  if (isName && isVersion && rest.length === 0) return { name, version }
  throw usageError(texts.release.invalidName(text))
}

/** Fetches an approved release. Throws if it does not exist, or if the registry answers with a different one. */
export async function getRelease(registry: Registry, requested: ReleaseName): Promise<RegistryVersion> {
  const { name, version } = requested
  const release = await (
    version === null
      ? registry.call(releaseRoutes.getLatestRelease, { params: { name } })
      : registry.call(releaseRoutes.getRelease, { params: { name, version } })
  ).catch((error: unknown) => orSearch(error, nameOf(requested), registry.host))
  const isMatch = release.name === name && (version === null || release.version === version)
  if (!isMatch || release.status !== 'approved' || release.manifest.name !== name) {
    throw mismatch(
      texts.response.otherRelease(registry.host, nameOf(release), release.status, nameOf(requested)),
      'OTHER_RELEASE',
    )
  }
  return release
}

/** Suggests a search with this program if the release was not found; the registry's message is for other clients. */
function orSearch(error: unknown, release: string, host: string): never {
  if (!(error instanceof ClientError) || error.exitCode !== exitCodes.notFound) throw error
  const { exitCode, code, issues } = error
  throw new ClientError(exitCode, texts.release.notFound(release, host), { code, issues, cause: error })
}

export const nameOf = ({ name, version }: ReleaseName): string =>
  version === null ? name : `${name}@${version}`

/** A body that is already in memory. */
function bytesBody(type: string, bytes: Buffer): RequestBody {
  return { type, length: bytes.length, open: () => Readable.from([bytes]) }
}
