import { refuse } from './module-problem.ts'

const HEADER_BYTES = 8

const startsWith = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  bytes.length >= prefix.length && prefix.every((byte, index) => bytes[index] === byte)

const SIGNATURES: readonly (readonly [readonly number[], string])[] = [
  [[0x1f, 0x8b], 'It is a gzip file; unpack it and use the .wasm file inside.'],
  [[0x50, 0x4b, 0x03, 0x04], 'It is a zip archive; unpack it and use the .wasm file inside.'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'It is a zstd file; unpack it and use the .wasm file inside.'],
  [[0x7f, 0x45, 0x4c, 0x46], 'It is a Linux program (ELF); build it for wasm32-wasip1.'],
  [[0xcf, 0xfa, 0xed, 0xfe], 'It is a macOS program (Mach-O); build it for wasm32-wasip1.'],
  [[0x4d, 0x5a], 'It is a Windows program; build it for wasm32-wasip1.'],
  [
    [0x21, 0x3c, 0x61, 0x72, 0x63, 0x68, 0x3e],
    'It is an archive of object files; link it into a module first.',
  ],
]

/** A sentence with the detected format and advice; empty if the format is unknown. */
const guessFormat = (bytes: Uint8Array): string => {
  const known = SIGNATURES.find(([prefix]) => startsWith(bytes, prefix))
  if (known) return ` ${known[1]}`
  const text = new TextDecoder().decode(bytes.subarray(0, 512)).trimStart().toLowerCase()
  if (/^(?:;;|\(;|\(module\b|\(component\b)/.test(text)) {
    return ' It looks like WebAssembly text; assemble it first, for example with wat2wasm.'
  }
  if (/^(?:<!doctype html|<html|<\?xml|<!--)/.test(text)) {
    return ' It looks like an HTML page; was the download an error page?'
  }
  return ''
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d] as const

/** Throws unless the file starts like a core module of version 1. */
export const checkHeader = (bytes: Uint8Array): void => {
  if (bytes.length === 0) refuse('empty', 'The file is empty.', 0)
  if (!startsWith(bytes, MAGIC.slice(0, bytes.length))) {
    refuse('not-wasm', `The file is not a WebAssembly module.${guessFormat(bytes)}`, 0)
  }
  if (bytes.length < HEADER_BYTES) {
    const message = `The file ends after ${bytes.length} bytes, within the 8-byte header`
    refuse('truncated', message, bytes.length)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const version = view.getUint16(4, true)
  const layer = view.getUint16(6, true)
  if (layer === 1) {
    refuse(
      'component',
      'This is a WebAssembly component, not a core module; build a core module (wasm32-wasip1).',
      4,
    )
  }
  if (version !== 1 || layer !== 0) {
    refuse(
      'version',
      `The file has the WebAssembly version ${view.getUint32(4, true)}; only version 1 is supported.`,
      4,
    )
  }
}
