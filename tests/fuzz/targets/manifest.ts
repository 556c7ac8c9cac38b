import { maxManifestBytes as maxSubmittedBytes } from '../../../src/shared/contracts/manifest.ts'
import { DomainError } from '../../../src/shared/errors.ts'
import { parseManifest } from '../../../src/shared/parse-manifest.ts'
import { manifest } from '../../support/server/publish.ts'
import { ascii, assert, refusing, textOf } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

export function manifestTarget(): Target {
  return {
    batchSize: 250,
    seeds: [ascii(JSON.stringify(manifest())), ascii(JSON.stringify(manifest(), null, 2))],
    words: [
      '"name":',
      '"__proto__":',
      '{',
      '[',
      '}',
      ']',
      '\\u0000',
      '\\ud800',
      '\u00ef\u00bb\u00bf',
      'null',
      '1e999',
      '"',
    ],
    read(bytes) {
      const parsed = refusing(DomainError, () => parseManifest(textOf(bytes)))
      if (parsed !== null)
        assert(bytes.length <= maxSubmittedBytes + 3, 'a manifest over the limit was accepted')
    },
  }
}
