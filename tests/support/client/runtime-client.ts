import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Distrust, readAskedRelease, readList, readManifest, readSubmission } from './runtime-checks.ts'
import type { RuntimeManifest, RuntimeRelease, RuntimeSubmission } from './runtime-checks.ts'

// A double of the agent runtime's client, built from the known facts: its two variables, plain HTTP on loopback
// only, no redirects, at most 64 KiB of metadata per release and 2 MiB per page, its checks (runtime-checks.ts), and
// the parts `manifest` (text) and `wasm` (file, application/wasm) of a submission.

export const maxReleaseBytes = 65_536
export const maxPageBytes = 2_097_152

/** An error response of the registry, with the message that this client shows. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly retryAfter: number | null

  constructor(status: number, sentence: string, retryAfter: number | null) {
    super(sentence)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export interface RuntimeEnvironment {
  NEXUS_REGISTRY_URL?: string
  NEXUS_REGISTRY_TOKEN?: string
}

export interface RuntimeClient {
  search(q: string, offset?: number): Promise<RuntimeRelease[]>
  /** Returns the given version, or the latest. */
  info(name: string, version?: string): Promise<RuntimeRelease>
  manifest(name: string, version: string): Promise<RuntimeManifest>
  /** Writes the verified module into a folder. */
  install(skill: string, folder: string): Promise<{ release: RuntimeRelease; file: string }>
  publish(manifestFile: string, wasmFile: string): Promise<RuntimeSubmission>
  mine(offset?: number): Promise<RuntimeRelease[]>
  reviews(offset?: number): Promise<RuntimeRelease[]>
  inspect(release: RuntimeRelease): Promise<Buffer>
  review(id: number, action: string, reason: string): Promise<void>
}

const patienceMs = 20_000

export function createRuntimeClient(environment: RuntimeEnvironment): RuntimeClient {
  const base = `${registryAddress(environment.NEXUS_REGISTRY_URL)}/api/marketplace`

  const request = async (path: string, options: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${base}${path}`, {
      ...options,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.status >= 300 && response.status < 400) {
      throw new Distrust(`The registry redirects to ${response.headers.get('location')}`)
    }
    if (!response.ok) throw await refusalOf(response)
    return response
  }

  const signedIn = (options: RequestInit = {}): RequestInit => {
    const token = environment.NEXUS_REGISTRY_TOKEN
    if (token === undefined) throw new Error('NEXUS_REGISTRY_TOKEN is not set')
    return { ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } }
  }

  const readPackage = async (response: Response, release: RuntimeRelease): Promise<Buffer> => {
    assertType(response, 'application/wasm')
    const bytes = await readAtMost(response, release.size)
    if (bytes.length !== release.size) {
      throw new Distrust(`The package has ${bytes.length} bytes, not ${release.size}`)
    }
    if (sha256Of(bytes) !== release.sha256) throw new Distrust('The package has a different digest')
    return bytes
  }

  const info: RuntimeClient['info'] = async (name, version) => {
    const path = version === undefined ? `/skills/${name}` : `/skills/${name}/${version}`
    return readAskedRelease(await readJson(await request(path), maxReleaseBytes), { name, version })
  }

  const list = async (path: string, options?: RequestInit): Promise<RuntimeRelease[]> =>
    readList(await readJson(await request(path, options), maxPageBytes))

  return {
    async search(q, offset = 0) {
      const found = await list(`/skills?${new URLSearchParams({ q, offset: String(offset) }).toString()}`)
      const hidden = found.find(({ status }) => status !== 'approved')
      if (hidden !== undefined) throw new Distrust(`The catalog contains a release that is ${hidden.status}`)
      return found
    },

    info,

    manifest: async (name, version) =>
      readManifest(await readJson(await request(`/skills/${name}/${version}/manifest`), maxReleaseBytes)),

    async install(skill, folder) {
      const [name = '', version] = skill.split('@')
      const release = await info(name, version)
      const bytes = await readPackage(await request(`/skills/${name}/${release.version}/package`), release)
      const file = join(folder, `${name}-${release.version}.wasm`)
      await writeFile(`${file}.part`, bytes)
      await rename(`${file}.part`, file)
      return { release, file }
    },

    async publish(manifestFile, wasmFile) {
      const [manifest, wasm] = await Promise.all([readFile(manifestFile, 'utf8'), readFile(wasmFile)])
      const form = new FormData()
      form.set('manifest', manifest)
      form.set('wasm', new File([wasm], 'skill.wasm', { type: 'application/wasm' }))
      const response = await request('/publish', signedIn({ method: 'POST', body: form }))
      if (response.status !== 201)
        throw new Distrust(`The registry responded with ${response.status}, not 201`)
      const { name, version } = JSON.parse(manifest) as RuntimeManifest
      const sent = { name, version, sha256: sha256Of(wasm) }
      return readSubmission(await readJson(response, maxReleaseBytes), sent)
    },

    mine: async (offset = 0) => list(`/mine?offset=${offset}`, signedIn()),
    reviews: async (offset = 0) => list(`/review?offset=${offset}`, signedIn()),

    inspect: async (release) =>
      readPackage(await request(`/review/${release.name}/${release.version}/package`, signedIn()), release),

    async review(id, action, reason) {
      const options = signedIn({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action, reason }),
      })
      const answer = await readJson(await request(`/review/${id}`, options), maxReleaseBytes)
      if ((answer as { success?: unknown }).success !== true) throw new Distrust('The decision was not taken')
    },
  }
}

/** The registry's origin. Plain HTTP is only allowed on loopback. */
function registryAddress(address: string | undefined): string {
  if (address === undefined) throw new Error('NEXUS_REGISTRY_URL is not set')
  const { protocol, hostname, origin } = new URL(address)
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return origin
  throw new Distrust(`${origin} does not use HTTPS`)
}

async function refusalOf(response: Response): Promise<Error> {
  const body = await readJson(response, maxReleaseBytes)
  const sentence = (body as { error?: unknown } | null)?.error
  if (typeof sentence !== 'string')
    return new Distrust(`An error with status ${response.status} has no message`)
  const retryAfter = response.headers.get('retry-after')
  return new Refused(response.status, sentence, retryAfter === null ? null : Number(retryAfter))
}

async function readJson(response: Response, limit: number): Promise<unknown> {
  assertType(response, 'application/json')
  const bytes = await readAtMost(response, limit)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch (cause) {
    throw new Distrust('The response is not JSON', { cause })
  }
}

function assertType(response: Response, type: string): void {
  const sent = response.headers.get('content-type') ?? ''
  if (sent.split(';')[0]?.trim() !== type) throw new Distrust(`The response is ${sent}, not ${type}`)
}

async function readAtMost(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > limit) throw new Distrust(`The response is longer than ${limit} bytes`)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof Distrust) throw cause
    throw new Distrust('The response was cut off', { cause })
  }
  return Buffer.concat(chunks)
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
