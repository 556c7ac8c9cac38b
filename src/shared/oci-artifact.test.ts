import { expect, test } from 'vitest'
import { artifactOf } from './oci-artifact.ts'

const release = {
  name: 'csv-to-json',
  version: '1.0.0',
  sha256: '7f'.repeat(32),
  size: 4096,
  createdAt: '2026-01-02T03:04:05.678Z',
}
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

// Clients pin these digests: a change of any byte would break them.
test('the manifest and config of a release have the same bytes in every version of the program', () => {
  const { manifest, config } = artifactOf(release)
  expect(text(config.bytes)).toBe(
    `{"architecture":"wasm","created":"2026-01-02T03:04:05.678Z","layerDigests":["sha256:${release.sha256}"],"os":"wasip1"}`,
  )
  expect(text(manifest.bytes)).toBe(
    '{"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05.678Z",' +
      '"org.opencontainers.image.title":"csv-to-json","org.opencontainers.image.version":"1.0.0"},' +
      '"artifactType":"application/vnd.wasm.config.v0+json",' +
      `"config":{"digest":"${config.digest}","mediaType":"application/vnd.wasm.config.v0+json","size":165},` +
      '"layers":[{"annotations":{"org.opencontainers.image.title":"csv-to-json-1.0.0.wasm"},' +
      `"digest":"sha256:${release.sha256}","mediaType":"application/wasm","size":4096}],` +
      '"mediaType":"application/vnd.oci.image.manifest.v1+json","schemaVersion":2}',
  )
  expect([manifest.digest, config.digest]).toEqual([
    'sha256:9851200436d0ac92894780daff44583c5f728aa7d3e4a338cf676654407b27e7',
    'sha256:e7cd8cdcf89b92709fdffbfbe96e9c5b3b20c4767fc2e2e82ff622d5f1f34226',
  ])
})
