// Standard input, output and error of WASI preview 1, through two buffers of fixed size.

@external('wasi_snapshot_preview1', 'fd_read')
declare function fd_read(file: i32, buffers: usize, count: i32, done: usize): i32

@external('wasi_snapshot_preview1', 'fd_write')
declare function fd_write(file: i32, buffers: usize, count: i32, done: usize): i32

@external('wasi_snapshot_preview1', 'proc_exit')
declare function proc_exit(code: i32): void

const EXIT_FAILED: i32 = 1

const SIZE: i32 = 65536
const INPUT = memory.data(65536)
const OUTPUT = memory.data(65536)
// One WASI buffer (address, length), followed by the number of bytes that the host read or wrote.
const BUFFER = memory.data(16, 8)
const DONE: usize = BUFFER + 8

let inputLength: i32 = 0
let inputPlace: i32 = 0
let outputLength: i32 = 0

/** The next byte of standard input, or -1 at its end. */
export function readByte(): i32 {
  if (inputPlace == inputLength) {
    store<usize>(BUFFER, INPUT)
    store<i32>(BUFFER + 4, SIZE)
    if (fd_read(0, BUFFER, 1, DONE) != 0) fail('lines-to-json: standard input cannot be read\n')
    inputLength = load<i32>(DONE)
    inputPlace = 0
    if (inputLength == 0) return -1
  }
  return load<u8>(INPUT + inputPlace++)
}

/** Appends one byte to the output buffer. */
export function writeByte(byte: i32): void {
  if (outputLength == SIZE) flush(1)
  store<u8>(OUTPUT + outputLength, byte as u8)
  outputLength += 1
}

/** Appends ASCII text to the output buffer. */
export function writeText(text: string): void {
  for (let i = 0; i < text.length; i++) writeByte(text.charCodeAt(i))
}

export function writeNumber(number: u64): void {
  let unit: u64 = 1
  while (number / unit >= 10) unit *= 10
  for (; unit > 0; unit /= 10) writeByte(48 + ((number / unit) % 10) as i32)
}

/** Writes the output buffer to standard output (1) or standard error (2). */
export function flush(file: i32): void {
  let sent = 0
  while (sent < outputLength) {
    store<usize>(BUFFER, OUTPUT + sent)
    store<i32>(BUFFER + 4, outputLength - sent)
    if (fd_write(file, BUFFER, 1, DONE) != 0 || load<i32>(DONE) == 0) {
      fail('lines-to-json: the output cannot be written\n')
    }
    sent += load<i32>(DONE)
  }
  outputLength = 0
}

/** Ends the program immediately. */
export function exit(code: i32): void {
  proc_exit(code)
}

// Ignores errors: if standard error cannot be written either, the exit code remains.
function fail(reason: string): void {
  outputLength = 0
  writeText(reason)
  store<usize>(BUFFER, OUTPUT)
  store<i32>(BUFFER + 4, outputLength)
  fd_write(2, BUFFER, 1, DONE)
  exit(EXIT_FAILED)
}
