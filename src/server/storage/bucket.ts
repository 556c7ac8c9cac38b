import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import { http, https } from '../operations/node-http.ts'
import { toBucketError } from './storage-errors.ts'

export interface BucketTiming {
  /** Milliseconds that one request may take, including its body. One that takes longer is not repeated. */
  requestMs: number
  /** Milliseconds before the second, third and fourth try of a request that may succeed later. */
  retryDelaysMs: readonly number[]
}

const usualTiming: BucketTiming = { requestMs: 30_000, retryDelaysMs: [200, 1000, 3000] }

/** The most that S3 lists in one answer. */
const listedAtOnce = 1000

/** Where a registry's packages and images are kept in a bucket (rulings, "S3"). */
export interface BucketLocation {
  /** `s3://BUCKET/PREFIX`, without credentials. */
  url: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  /** Without a final slash, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

interface BucketFile {
  /** Bytes. */
  size: number
  version: string
  body: Readable
}

interface ObjectText {
  text: string
  /** Its ETag, for `replace`. */
  version: string
}

interface ListedObject {
  key: string
  /** Bytes. */
  size: number
  changedAt: Date
}

/**
 * The objects of one registry in a bucket; keys are relative to its prefix. Requests that fail for a reason that may
 * pass are repeated; then everything throws a BucketError, which answers 503 with `Retry-After`.
 */
export interface Bucket {
  readonly url: string
  /** Uploads a local file. The bucket compares the bytes with the digest before it stores them. */
  putFile(key: string, path: string, sha256: string): Promise<void>
  /** Replaces a small object, with one request. */
  putText(key: string, text: string): Promise<void>
  /**
   * Writes a small object with one request, if it still has this version or, for null, if it does not exist. Returns its
   * new version, or null if it was written in the meantime.
   */
  replace(key: string, text: string, version: string | null): Promise<string | null>
  /** Null if there is no such object. */
  get(key: string): Promise<BucketFile | null>
  getText(key: string): Promise<ObjectText | null>
  exists(key: string): Promise<boolean>
  remove(key: string): Promise<void>
  /** All objects whose keys start with `prefix`, one page at a time. */
  list(prefix: string): AsyncGenerator<ListedObject[], void, undefined>
}

/** `timing` is replaced in tests. */
export function openBucket(location: BucketLocation, timing: Partial<BucketTiming> = {}): Bucket {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = location
  const { requestMs, retryDelaysMs } = { ...usualTiming, ...timing }
  const url = new URL(endpoint)
  const client = new S3mini({
    accessKeyId,
    secretAccessKey,
    region,
    endpoint: `${endpoint}/${bucket}`,
    requestAbortTimeout: requestMs,
    fetch: createFetch(url),
  })
  const pathOf = (key: string): string => `${prefix}${key}`

  /** Runs a request, and again after each delay if it may succeed then. */
  const request = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    for (const delay of [...retryDelaysMs, null]) {
      try {
        return await run()
      } catch (error) {
        const failure = toBucketError(error)
        if (delay === null || !failure.mayPass) throw failure
        await new Promise((resolve) => void setTimeout(resolve, delay))
      }
    }
    throw new Error('unreachable')
  }

  const put = async (
    key: string,
    data: string | Blob,
    headers: Record<string, string> = {},
  ): Promise<string> => {
    const answer = await client.putObject(pathOf(key), data, 'application/octet-stream', undefined, headers)
    return answer.headers.get('etag') ?? ''
  }
  const get = (key: string): Promise<BucketFile | null> =>
    request(async () => {
      const response = await client.getObjectResponse(pathOf(key))
      if (response?.body === null || response === null) return null
      const body = fromWeb(response.body)
      const size = Number(response.headers.get('content-length'))
      return { size, version: response.headers.get('etag') ?? '', body }
    })

  return {
    url: location.url,
    async putFile(key, path, sha256) {
      // A blob of a file is read while it is sent.
      const checksum = Buffer.from(sha256, 'hex').toString('base64')
      const bytes = await openAsBlob(path)
      await request(() => put(key, bytes, { 'x-amz-checksum-sha256': checksum }))
    },
    async putText(key, text) {
      try {
        await put(key, text)
      } catch (error) {
        throw toBucketError(error)
      }
    },
    async replace(key, text, version) {
      try {
        return await put(key, text, version === null ? { 'if-none-match': '*' } : { 'if-match': version })
      } catch (error) {
        const failure = toBucketError(error)
        // 409: two conditional writes at once, one of which was refused.
        if (failure.status === 412 || failure.status === 409) return null
        throw failure
      }
    },
    get,
    async getText(key) {
      const file = await get(key)
      if (file === null) return null
      try {
        const text = Buffer.concat(await file.body.toArray()).toString('utf8')
        return { text, version: file.version }
      } catch (error) {
        throw toBucketError(error)
      }
    },
    exists: (key) => request(async () => (await client.objectExists(pathOf(key))) === true),
    async remove(key) {
      await request(() => client.deleteObject(pathOf(key)))
    },
    async *list(start) {
      let token: string | undefined
      do {
        const after = token
        const page = await request(() => client.listObjectsPaged('/', pathOf(start), listedAtOnce, after))
        yield (page?.objects ?? []).map(({ Key, Size, LastModified }) => ({
          key: Key.slice(prefix.length),
          size: Size,
          changedAt: new Date(LastModified),
        }))
        token = page?.nextContinuationToken
      } while (token !== undefined)
    },
  }
}

/**
 * `fetch` as far as the client of the bucket needs it. Node's own ends the process when a connection is closed while its
 * body is not being read (nodejs/undici#5360).
 */
function createFetch({ protocol }: URL): typeof fetch {
  const { request, Agent } = protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })
  return async (target, { method, headers, body, signal } = {}) => {
    const sent = request(new Request(target).url, {
      agent,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal == null ? {} : { signal }),
    })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    const bytes = body instanceof Blob ? fromWeb(body.stream()) : [body ?? '']
    const [[answer]] = await Promise.all([answered, pipeline(bytes, sent)])
    const { statusCode: status = 502, headersDistinct } = answer
    const given = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [
      name,
      values.join(', '),
    ])
    const isEmpty = method === 'HEAD' || status === 204 || status === 304
    if (isEmpty) answer.resume()
    return new Response(isEmpty ? null : (Readable.toWeb(answer) as globalThis.ReadableStream), {
      status,
      headers: given,
    })
  }
}

/** `unknown`, because the types of Node and of browsers describe the same streams differently. */
const fromWeb = (stream: unknown): Readable => Readable.fromWeb(stream as NodeStream)
