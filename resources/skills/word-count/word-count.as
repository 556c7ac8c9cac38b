// word-count: counts the lines, words, characters and bytes of UTF-8 text and prints them as JSON.
//
// AssemblyScript, which looks like TypeScript but is not. The extension `.as` keeps TypeScript's tools away from it;
// resources/skills/build.ts passes it to the compiler as `.ts`. Nothing here allocates, so the module needs no
// runtime and counts text of any length in 128 KiB of memory.
// Exit codes: 0 success, 1 reading or writing failed, 2 the input is not UTF-8.

@external('wasi_snapshot_preview1', 'fd_read')
declare function fd_read(file: i32, buffers: usize, count: i32, done: usize): i32

@external('wasi_snapshot_preview1', 'fd_write')
declare function fd_write(file: i32, buffers: usize, count: i32, done: usize): i32

@external('wasi_snapshot_preview1', 'proc_exit')
declare function proc_exit(code: i32): void

const EXIT_FAILED: i32 = 1
const EXIT_BAD_INPUT: i32 = 2

const INPUT_SIZE: i32 = 65536
const INPUT = memory.data(65536)
const OUTPUT = memory.data(256)
// One WASI buffer (address, length), followed by the number of bytes read or written, set by the host.
const BUFFER = memory.data(16, 8)
const DONE: usize = BUFFER + 8

let outputLength: i32 = 0

let bytes: u64 = 0
let characters: u64 = 0
let words: u64 = 0
let lines: u64 = 0
let insideWord: bool = false
let insideLine: bool = false

// The character being decoded: its bits so far, the remaining bytes, and the lowest valid value for its length.
let point: u32 = 0
let pending: i32 = 0
let lowest: u32 = 0

function put(byte: i32): void {
  store<u8>(OUTPUT + outputLength, byte as u8)
  outputLength += 1
}

// ASCII only: one byte per character.
function putText(text: string): void {
  for (let i = 0; i < text.length; i++) put(text.charCodeAt(i))
}

function putNumber(number: u64): void {
  let unit: u64 = 1
  while (number / unit >= 10) unit *= 10
  for (; unit > 0; unit /= 10) put(48 + ((number / unit) % 10) as i32)
}

function flush(file: i32): void {
  let sent = 0
  while (sent < outputLength) {
    store<usize>(BUFFER, OUTPUT + sent)
    store<i32>(BUFFER + 4, outputLength - sent)
    if (fd_write(file, BUFFER, 1, DONE) != 0 || load<i32>(DONE) == 0) proc_exit(EXIT_FAILED)
    sent += load<i32>(DONE)
  }
  outputLength = 0
}

function refuse(): void {
  putText('word-count: the input is not UTF-8 (byte ')
  putNumber(bytes)
  putText(')\n')
  flush(2)
  proc_exit(EXIT_BAD_INPUT)
}

// Unicode's White_Space.
function isSpace(character: u32): bool {
  if (character <= 0x20) return character == 0x20 || (character >= 0x09 && character <= 0x0d)
  if (character == 0x85 || character == 0xa0 || character == 0x1680) return true
  if (character >= 0x2000 && character <= 0x200a) return true
  return (
    character == 0x2028 ||
    character == 0x2029 ||
    character == 0x202f ||
    character == 0x205f ||
    character == 0x3000
  )
}

function count(character: u32): void {
  characters += 1
  if (isSpace(character)) {
    insideWord = false
  } else if (!insideWord) {
    insideWord = true
    words += 1
  }
  // Lines are counted at their start, so that a last line without a line feed counts too.
  if (!insideLine) lines += 1
  insideLine = character != 0x0a
}

function begin(byte: u32): void {
  if (byte < 0x80) {
    count(byte)
  } else if (byte >= 0xc2 && byte <= 0xdf) {
    point = byte & 0x1f
    pending = 1
    lowest = 0x80
  } else if (byte >= 0xe0 && byte <= 0xef) {
    point = byte & 0x0f
    pending = 2
    lowest = 0x800
  } else if (byte >= 0xf0 && byte <= 0xf4) {
    point = byte & 0x07
    pending = 3
    lowest = 0x10000
  } else {
    refuse()
  }
}

function carryOn(byte: u32): void {
  if ((byte & 0xc0) != 0x80) refuse()
  point = (point << 6) | (byte & 0x3f)
  pending -= 1
  if (pending > 0) return
  if (point < lowest || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) refuse()
  count(point)
}

function read(): i32 {
  store<usize>(BUFFER, INPUT)
  store<i32>(BUFFER + 4, INPUT_SIZE)
  if (fd_read(0, BUFFER, 1, DONE) != 0) proc_exit(EXIT_FAILED)
  return load<i32>(DONE)
}

export function _start(): void {
  for (let length = read(); length > 0; length = read()) {
    for (let i = 0; i < length; i++) {
      const byte: u32 = load<u8>(INPUT + i)
      bytes += 1
      if (pending > 0) carryOn(byte)
      else begin(byte)
    }
  }
  if (pending > 0) refuse()
  putText('{"lines":')
  putNumber(lines)
  putText(',"words":')
  putNumber(words)
  putText(',"characters":')
  putNumber(characters)
  putText(',"bytes":')
  putNumber(bytes)
  putText('}\n')
  flush(1)
}
