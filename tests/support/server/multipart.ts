/** One part of a multipart body. */
export interface Part {
  name: string
  data: string | Uint8Array
  /** Makes the part a file. */
  fileName?: string
  type?: string
}

const boundary = 'one-boundary-of-the-tests'
export const multipartType = `multipart/form-data; boundary=${boundary}`

/** A multipart/form-data body of these parts. */
export function multipartBody(parts: readonly Part[]): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(({ name, data, fileName, type }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const media = type === undefined ? '' : `Content-Type: ${type}\r\n`
    return [
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${media}\r\n`,
      data,
      '\r\n',
    ]
  })
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

export const manifestPart = (manifest: unknown): Part => ({
  name: 'manifest',
  data: typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
})

export const wasmPart = (wasm: Uint8Array): Part => ({
  name: 'wasm',
  data: wasm,
  fileName: 'skill.wasm',
  type: 'application/wasm',
})
