import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT, decodeJwt, importJWK } from 'jose'
import type { JWK, JWTPayload } from 'jose'

/** The private key of a data folder, as a JWK with its `kid`. */
export async function readKey(folder: string): Promise<JWK & { kid: string; x: string; d: string }> {
  return JSON.parse(await readFile(join(folder, 'signing-key.json'), 'utf8')) as never
}

export interface Forgery {
  /** The signing key; by default the data folder's own. */
  key?: JWK | CryptoKey
  header?: Record<string, unknown>
  /** `undefined` removes a claim. */
  claims?: Record<string, unknown>
}

/** A token signed with the folder's real key, with the changes of the forgery. */
export async function forge(folder: string, basis: string, forgery: Forgery = {}): Promise<string> {
  const own = await readKey(folder)
  const header = { alg: 'EdDSA', kid: own.kid, typ: 'JWT', ...forgery.header }
  const payload: JWTPayload = { ...decodeJwt(basis), ...forgery.claims }
  const key = forgery.key ?? own
  const signer = key instanceof CryptoKey ? key : await importJWK(key, header.alg)
  const crit = (header as { crit?: string[] }).crit ?? []
  return new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
    .setProtectedHeader(header)
    .sign(signer, { crit: Object.fromEntries(crit.map((name) => [name, true])) })
}

/** Assembles a token from any header, claims and signature. */
export function rawToken(header: unknown, claims: unknown, signature = ''): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part(header)}.${part(claims)}.${signature}`
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)
export const unknownId = (): string => randomUUID()
