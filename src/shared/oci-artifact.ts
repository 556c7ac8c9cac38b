import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Facts of a release that never change. A restored or rebuilt release has the same ones. */
export interface ArtifactFacts {
  name: string
  version: string
  sha256: string
  size: number
  createdAt: string
}

/** A manifest or config. */
export interface ArtifactPart {
  bytes: Uint8Array
  /** With its algorithm: `sha256:…`. */
  digest: string
}

export interface Artifact {
  manifest: ArtifactPart
  config: ArtifactPart
}

export const ociManifestType = 'application/vnd.oci.image.manifest.v1+json'
const configType = 'application/vnd.wasm.config.v0+json'

/**
 * A release in the Wasm OCI artifact layout. Clients pin manifests by their digests, so every version of Skilldock must
 * make the same bytes of the same release. The order of the members is that of RFC 8785.
 */
export function artifactOf(release: ArtifactFacts): Artifact {
  const { name, version, createdAt } = release
  const layer = { digest: `sha256:${release.sha256}`, mediaType: 'application/wasm', size: release.size }
  const config = partOf({
    architecture: 'wasm',
    created: createdAt,
    layerDigests: [layer.digest],
    os: 'wasip1',
  })
  const manifest = partOf({
    annotations: {
      'org.opencontainers.image.created': createdAt,
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.version': version,
    },
    artifactType: configType,
    config: { digest: config.digest, mediaType: configType, size: config.bytes.length },
    // The title is the name of the file that oras writes.
    layers: [{ annotations: { 'org.opencontainers.image.title': `${name}-${version}.wasm` }, ...layer }],
    mediaType: ociManifestType,
    schemaVersion: 2,
  })
  return { manifest, config }
}

function partOf(value: object): ArtifactPart {
  const bytes = utf8ToBytes(JSON.stringify(value))
  return { bytes, digest: `sha256:${bytesToHex(sha256(bytes))}` }
}
