import { packageEtag, releaseRoutes } from '../../shared/contracts/releases.ts'
import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import { addressOf } from '../../shared/route-call.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { forEachChunk } from './http.ts'
import { digestOf } from '../installed/installed-skills.ts'
import { nameOf } from './registry.ts'
import type { ReleaseName } from './registry.ts'
import type { Registry } from './registry.ts'
import { texts } from './registry.texts.ts'

/**
 * Downloads the module of a release and verifies its size and digest. Throws if they differ from the reviewed ones,
 * without reading more than the expected size. `installed` are its bytes if the caller has them: then the registry only
 * confirms that the release is still approved.
 */
export async function downloadPackage(
  registry: Registry,
  release: Pick<RegistryVersion, 'name' | 'version' | 'size' | 'sha256'>,
  installed: Buffer | null,
  onProgress: (bytes: number) => void,
): Promise<Buffer> {
  const { name, version, size, sha256 } = release
  const path = addressOf(releaseRoutes.downloadPackage.path, { name, version })
  const etag = installed === null ? undefined : packageEtag(sha256)
  const { url, response } = await registry.open(path, 'application/wasm', etag)
  if (installed !== null && response.statusCode === 304) {
    response.destroy()
    return installed
  }
  const { tooLong, otherSize, otherDigest } = texts.download
  const chunks: Buffer[] = []
  let length = 0
  await forEachChunk(url, response, registry.options, (chunk) => {
    length += chunk.length
    if (length > size) throw notReviewed(release, tooLong(size))
    chunks.push(chunk)
    onProgress(length)
  })
  if (length !== size) throw notReviewed(release, otherSize(length, size))
  const bytes = Buffer.concat(chunks)
  const digest = digestOf(bytes)
  if (digest !== sha256) throw notReviewed(release, otherDigest(digest, sha256))
  return bytes
}

function notReviewed(release: ReleaseName, reason: string): ClientError {
  return new ClientError(exitCodes.mismatch, texts.download.notReviewed(nameOf(release), reason), {
    code: 'DIGEST_MISMATCH',
  })
}
