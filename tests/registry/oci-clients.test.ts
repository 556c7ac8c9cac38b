import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireProgram, skipWithout } from '../support/programs.ts'
import { askOci, ociDigest, ociRelease, ownModule, pull } from '../support/server/oci.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

// A real client. Its `inspect` without --raw describes container images only, not Wasm artifacts.
describe.skipIf(skipWithout('skopeo'))('skopeo', () => {
  let app: TestRegistry
  let folder: string

  beforeAll(async () => {
    app = await startTestRegistry()
    folder = await mkdtemp(join(tmpdir(), 'skilldock-oci-'))
  })
  afterAll(async () => {
    await app.stop()
    await rm(folder, { recursive: true })
  })

  const run = async (...args: string[]): Promise<string> =>
    // The policy of the system may refuse everything.
    (await promisify(execFile)(requireProgram('skopeo') ?? '', ['--insecure-policy', ...args])).stdout
  const source = (reference: string): string => `docker://${new URL(app.registry).host}/${reference}`
  const inspect = (reference: string, ...options: string[]): Promise<string> =>
    run('inspect', '--raw', '--tls-verify=false', ...options, source(reference))
  const copy = (reference: string, layout: string): Promise<string> =>
    run('copy', '--src-tls-verify=false', source(reference), `oci:${join(folder, layout)}:copied`)

  test('lists the tags of a skill', async () => {
    await ociRelease(app, 'listed', '1.0.0')
    await ociRelease(app, 'listed', '1.1.0')
    const tags = JSON.parse(await run('list-tags', '--tls-verify=false', source('listed'))) as unknown
    expect(tags).toMatchObject({ Tags: ['1.0.0', '1.1.0', 'latest'] })
  })

  test('inspects manifest and config, by tag and by digest', async () => {
    await ociRelease(app, 'inspected', '1.0.0')
    const { bytes } = await askOci(app.registry, '/inspected/manifests/1.0.0')
    const { byDigest } = await pull(app.registry, 'inspected', '1.0.0')
    for (const reference of [':1.0.0', ':latest', `@${ociDigest(bytes)}`]) {
      expect(await inspect(`inspected${reference}`), reference).toBe(bytes.toString())
    }
    const config = (await askOci(app.registry, byDigest.config)).bytes.toString()
    expect(await inspect('inspected:1.0.0', '--config')).toBe(config)
  })

  test('copies a release with its module to an OCI layout, by tag and by digest, until it is revoked', async () => {
    const wasm = ownModule(app)
    const id = await ociRelease(app, 'copied', '1.0.0', ['approved'], wasm)
    const { bytes } = await askOci(app.registry, '/copied/manifests/1.0.0')
    const { manifest } = await pull(app.registry, 'copied', '1.0.0')
    const references = ['copied:1.0.0', `copied@${ociDigest(bytes)}`]
    for (const [index, reference] of references.entries()) {
      const blobs = join(folder, `copied-${index}`, 'blobs/sha256')
      await copy(reference, `copied-${index}`)
      const digests = [ociDigest(bytes), manifest.config.digest, ociDigest(wasm)]
      const names = digests.map((digest) => digest.replace('sha256:', ''))
      expect((await readdir(blobs)).toSorted()).toEqual(names.toSorted())
      expect((await readFile(join(blobs, names[2] ?? ''))).equals(wasm)).toBe(true)
    }

    await app.decide(id, 'revoked')
    for (const reference of references) {
      const denied = /There is no approved release of copied/
      await expect(copy(reference, 'revoked')).rejects.toThrow(denied)
      await expect(inspect(reference)).rejects.toThrow(denied)
    }
  })
})
