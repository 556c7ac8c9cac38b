import { createHash } from 'node:crypto'
import { padModule } from '../fixtures/big-modules.ts'
import type { TestRegistry } from './registry.ts'

export interface Descriptor {
  mediaType: string
  digest: string
  size: number
  annotations?: Record<string, string>
}

export interface OciManifest {
  schemaVersion: number
  mediaType: string
  artifactType: string
  config: Descriptor
  layers: [Descriptor]
  annotations: Record<string, string>
}

export const ociDigest = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** What an OCI client gets at a path below `/v2`. */
export interface OciAnswer {
  status: number
  headers: Headers
  bytes: Buffer
  /** The first code of an error. */
  code: string | null
}

export async function askOci(registry: string, path: string, init: RequestInit = {}): Promise<OciAnswer> {
  const response = await fetch(`${registry}/v2${path}`, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  const isError = response.status >= 400 && init.method !== 'HEAD'
  const errors = isError ? (JSON.parse(bytes.toString()) as { errors: { code: string }[] }).errors : []
  return { status: response.status, headers: response.headers, bytes, code: errors[0]?.code ?? null }
}

/** A release as an OCI client sees it. */
export interface Pulled {
  manifest: OciManifest
  /** The paths at which its parts are served by digest. */
  byDigest: { manifest: string; config: string; layer: string }
}

export async function pull(registry: string, name: string, tag: string): Promise<Pulled> {
  const { status, bytes } = await askOci(registry, `/${name}/manifests/${tag}`)
  if (status !== 200) throw new Error(`${name}:${tag} is ${status}: ${bytes.toString()}`)
  const manifest = JSON.parse(bytes.toString()) as OciManifest
  return {
    manifest,
    byDigest: {
      manifest: `/${name}/manifests/${ociDigest(bytes)}`,
      config: `/${name}/blobs/${manifest.config.digest}`,
      layer: `/${name}/blobs/${manifest.layers[0].digest}`,
    },
  }
}

let modules = 0

/** A module that no other release has. */
export function ownModule(app: Pick<TestRegistry, 'wasm'>): Uint8Array<ArrayBuffer> {
  modules += 1
  return padModule(app.wasm, app.wasm.length + 100 + modules)
}

/** Submits a release with its own module, or with `wasm`, and decides it. Returns its id. */
export async function ociRelease(
  app: TestRegistry,
  name: string,
  version: string,
  actions: readonly string[] = ['approved'],
  wasm = ownModule(app),
): Promise<number> {
  const id = await app.submit({ name, version }, app.developer, wasm)
  await app.decide(id, ...actions)
  return id
}
