import { generateKeyPairSync, sign, verify as verifySignature } from 'node:crypto'
import {
  parseCheckpoint,
  openNote,
  parseVerifierKey,
  signNote,
  verifierKeyOf,
} from '../../../src/shared/log/signed-note.ts'
import { ascii, assert, textOf } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

export function noteTarget(): Target {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = verifierKeyOf(
    'registry.example/log',
    Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  )
  const text = `registry.example/log\n12\n${Buffer.alloc(32).toString('base64')}\n`
  const note = signNote(text, key, (message) => sign(null, message, privateKey))
  const check = (_key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
    verifySignature(null, message, publicKey, signature)
  return {
    batchSize: 100,
    seeds: [ascii(note), ascii(text)],
    words: ['\n', '\n\n', '+', '\xe2\x80\x94 ', ' ', '=', 'registry.example/log', '00000000'],
    read(bytes) {
      const sent = textOf(bytes)
      const opened = openNote(sent, key, check)
      assert(opened === null || opened === text, 'a changed note was accepted')
      parseCheckpoint(sent)
      parseVerifierKey(sent)
    },
  }
}
