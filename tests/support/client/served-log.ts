import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toBase64 } from '../../../src/shared/log/base64.ts'
import { leafHash } from '../../../src/shared/log/hashes.ts'
import {
  formatCheckpoint,
  formatVerifierKey,
  signNote,
  verifierKeyOf,
} from '../../../src/shared/log/signed-note.ts'
import { naiveConsistency, naiveRoot } from '../fixtures/naive-tree.ts'

/** A registry with nothing but a transparency log, whose entries, key and responses a test can change at will. */
export interface ServedLog {
  address: string
  entries: string[]
  origin: string
  key: LogKey
  /** Replaces the responses of paths that end with these. */
  answers: Record<string, string | Uint8Array>
  /** How long each response takes. */
  delayMs: number
  /** The path and query of each request. */
  requests: string[]
  /** The signed note for the current entries. */
  checkpoint(origin?: string): string
  stop(): Promise<void>
}

export interface LogKey {
  publicKey: Uint8Array
  privateKey: KeyObject
}

export function newLogKey(): LogKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'), privateKey }
}

export async function startServedLog(): Promise<ServedLog> {
  const verifier = () => verifierKeyOf(log.origin, log.key.publicKey)
  const leaves = (size: number) => log.entries.slice(0, size).map((entry) => leafHash(Buffer.from(entry)))
  const answer = (path: string, number: (name: string) => number): string => {
    switch (path) {
      case 'key':
        return formatVerifierKey(verifier())
      case 'checkpoint':
        return log.checkpoint()
      case 'entries': {
        const entries = log.entries.slice(number('start'), number('end')).slice(0, 500)
        return JSON.stringify({ entries: entries.map((entry) => toBase64(Buffer.from(entry))) })
      }
      case 'consistency': {
        const hashes = naiveConsistency(number('from'), leaves(number('to')))
        return JSON.stringify({ hashes: hashes.map(toBase64) })
      }
      default:
        throw new Error(`unexpected request: ${path}`)
    }
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', log.address)
    const path = url.pathname.replace('/api/skilldock/log/', '')
    log.requests.push(`${path}${url.search}`)
    const body = log.answers[path] ?? answer(path, (name) => Number(url.searchParams.get(name)))
    setTimeout(() => response.end(body), log.delayMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const log: ServedLog = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    entries: [],
    origin: 'skills.example/log',
    key: newLogKey(),
    answers: {},
    delayMs: 0,
    requests: [],
    checkpoint(origin = log.origin) {
      const { entries } = log
      const text = formatCheckpoint({ origin, size: entries.length, root: naiveRoot(leaves(entries.length)) })
      return signNote(text, verifier(), (message) => sign(null, message, log.key.privateKey))
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return log
}
