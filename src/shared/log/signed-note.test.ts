import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRoot } from './hashes.ts'
import {
  formatCheckpoint,
  formatVerifierKey,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  signNote,
  verifierKeyOf,
} from './signed-note.ts'
import type { Verify } from './signed-note.ts'

// The example in the documentation of golang.org/x/mod/sumdb/note.
const exampleKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const exampleText = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`
const exampleNote = `${exampleText}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`
const otherSignature =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n'

const verifyEd25519: Verify = (publicKey, message, signature) => {
  const x = Buffer.from(publicKey).toString('base64url')
  return verify(
    null,
    message,
    createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } }),
    signature,
  )
}

const exampleVerifier = parseVerifierKey(exampleKey) ?? expect.unreachable('the example is a valid key')
const openExample = (note: string): string | null => openNote(note, exampleVerifier, verifyEd25519)

/** Every text with one UTF-16 unit removed, and every text with one bit of it flipped. */
const mutationsOf = (text: string): string[] =>
  [...text].flatMap((_, at) => [
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << (at % 7))) + text.slice(at + 1),
  ])

test("the example of Go's package is opened", () => {
  expect(openExample(exampleNote)).toBe(exampleText)
  expect(openExample(exampleNote + otherSignature)).toBe(exampleText)
  expect(openExample(`${exampleText}\n${otherSignature}`)).toBeNull()
})

test("signing gives the signature of Go's package", () => {
  const { x = '' } = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(exampleVerifier.publicKey).toString('base64url'),
    },
  }).export({ format: 'jwk' })
  const d = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64')
    .subarray(1)
    .toString('base64url')
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x, d } })
  expect(signNote(exampleText, exampleVerifier, (message) => sign(null, message, privateKey))).toBe(
    exampleNote,
  )
})

test('no mutation of a note is opened as signed', () => {
  for (const note of mutationsOf(exampleNote)) expect(openExample(note)).toBeNull()
})

test('a note with another key of the same name, or with a wrong signature, is not opened', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const other = verifierKeyOf('PeterNeumann', raw)
  expect(openNote(exampleNote, other, verifyEd25519)).toBeNull()
  expect(openNote(exampleNote, { ...other, keyHash: exampleVerifier.keyHash }, verifyEd25519)).toBeNull()
})

test('malformed notes are not opened', () => {
  for (const note of [
    '',
    '\n\n',
    exampleText,
    exampleNote.trimEnd(),
    `${exampleNote}\n`,
    `${exampleNote}— PeterNeumann x08g\n`,
    `${exampleNote}no signature\n`,
    `${exampleNote}${otherSignature.repeat(100)}`,
    exampleNote.replace('you', 'you\u0007'),
  ]) {
    expect(openExample(note)).toBeNull()
  }
})

test('a verifier key is read and written unchanged', () => {
  expect(exampleVerifier.name).toBe('PeterNeumann')
  expect(formatVerifierKey(exampleVerifier)).toBe(exampleKey)
  const name = fc.string({ minLength: 1 }).filter((text) => !/[\s\u0085+]/u.test(text) && text.isWellFormed())
  fc.assert(
    fc.property(name, fc.uint8Array({ minLength: 32, maxLength: 32 }), (text, publicKey) => {
      const key = verifierKeyOf(text, publicKey)
      expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key)
    }),
  )
})

test('no mutation of a verifier key is read', () => {
  for (const text of [...mutationsOf(exampleKey), `${exampleKey}=`, `${exampleKey} `, '', '+', '++']) {
    expect(parseVerifierKey(text)).toBeNull()
  }
  // From the tests of Go's package: a key that is too long, and an unknown algorithm, both with the right key hash.
  expect(
    parseVerifierKey('PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY=='),
  ).toBeNull()
  expect(parseVerifierKey('PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')).toBeNull()
})

test('a key or note that could not be read back is not written', () => {
  expect(() => verifierKeyOf('a b', new Uint8Array(32))).toThrow('not a valid name')
  expect(() => verifierKeyOf('a+b', new Uint8Array(32))).toThrow('not a valid name')
  expect(() => verifierKeyOf('ab', new Uint8Array(31))).toThrow('not a valid name')
  expect(() => signNote('no newline', exampleVerifier, () => new Uint8Array(64))).toThrow('not the text')
})

test('a checkpoint is read and written unchanged', () => {
  const checkpoint = { origin: 'skills.example', size: 20_852_163, root: emptyRoot }
  const text = 'skills.example\n20852163\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n'
  expect(formatCheckpoint(checkpoint)).toBe(text)
  expect(parseCheckpoint(text)).toEqual(checkpoint)
})

test('malformed checkpoints are not read', () => {
  const root = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
  for (const text of [
    '',
    `log\n1\n${root}`,
    `log\n1\n${root}\nmore\n`,
    `\n1\n${root}\n`,
    `log\n01\n${root}\n`,
    `log\n-1\n${root}\n`,
    `log\n1e3\n${root}\n`,
    `log\n9007199254740993\n${root}\n`,
    `log\n1\n${root.slice(4)}\n`,
    `log\n1\n${root.replace('U=', 'V=')}\n`,
  ]) {
    expect(parseCheckpoint(text)).toBeNull()
  }
})
