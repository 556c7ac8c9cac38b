import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** What a DSSE envelope signs: the "pre-authentication encoding" of its type and payload (DSSE, version 1). */
export const preAuthEncoding = (payloadType: string, payload: Uint8Array): Uint8Array =>
  concatBytes(
    utf8ToBytes(`DSSEv1 ${utf8ToBytes(payloadType).length} ${payloadType} ${payload.length} `),
    payload,
  )
