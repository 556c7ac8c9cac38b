import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// A test certificate encoded as DER by hand (RFC 5280), so that no external program is needed.

const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const body = Buffer.concat(contents)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents)
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes))
const time = (date: Date): Buffer => der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))

const ed25519 = sequence(oid(0x2b, 0x65, 0x70))
const commonName = oid(0x55, 0x04, 0x03)
const subjectAltName = oid(0x55, 0x1d, 0x11)
const basicConstraints = oid(0x55, 0x1d, 0x13)

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** A self-signed certificate for 127.0.0.1 and localhost, valid for this many days, and its key, both as PEM. */
export function selfSigned(name: string, days = 1): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const who = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))))
  const alternatives = sequence(der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from('localhost')))
  const extensions = sequence(
    sequence(subjectAltName, der(0x04, alternatives)),
    sequence(basicConstraints, der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  )
  const day = 24 * 3600 * 1000
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ed25519,
    who,
    sequence(time(new Date(Date.now() - 9 * day)), time(new Date(Date.now() + days * day))),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)]))
  return {
    cert: pem(sequence(body, ed25519, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
