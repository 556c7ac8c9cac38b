// lines-to-json: reads text on standard input, writes its lines as a JSON array of strings.
//
// It processes the text byte by byte, so memory use does not grow with the size of the input or the length of a line.
// Input that is not valid UTF-8 is rejected, because JSON must be UTF-8.
// Exit codes: 0 done, 1 reading or writing failed, 2 the input is not UTF-8.

import { exit, flush, readByte, writeByte, writeNumber, writeText } from './wasi'

const EXIT_BAD_INPUT: i32 = 2

const LINE_FEED = 0x0a
const RETURN = 0x0d

// The line being read, from 1, and 0 before the first.
let line: u64 = 0
// Whether its closing quote is still to be written.
let isLineOpen = false
// Whether the last byte was a carriage return, which is not written yet.
let isReturnHeld = false

// The UTF-8 character being read: the number of bytes still expected, and the range of the next one.
let pending = 0
let lowest = 0
let highest = 0

export function _start(): void {
  writeText('[')
  for (let byte = readByte(); byte >= 0; byte = readByte()) {
    if (!isUtf8(byte)) reject()
    take(byte)
  }
  if (pending > 0) reject()
  releaseReturn()
  if (isLineOpen) closeLine()
  writeText(']\n')
  flush(1)
}

function take(byte: i32): void {
  if (byte == LINE_FEED) {
    isReturnHeld = false
    closeLine()
    return
  }
  openLine()
  releaseReturn()
  if (byte == RETURN) isReturnHeld = true
  else writeEscaped(byte)
}

// A carriage return is part of the line unless a line feed follows.
function releaseReturn(): void {
  if (isReturnHeld) writeEscaped(RETURN)
  isReturnHeld = false
}

function openLine(): void {
  if (isLineOpen) return
  writeText(line == 0 ? '"' : ',"')
  line += 1
  isLineOpen = true
}

function closeLine(): void {
  openLine() // an empty line has not been opened yet
  writeText('"')
  isLineOpen = false
}

function writeEscaped(byte: i32): void {
  if (byte == 0x22) writeText('\\"')
  else if (byte == 0x5c) writeText('\\\\')
  else if (byte == 0x09) writeText('\\t')
  else if (byte == RETURN) writeText('\\r')
  else if (byte < 0x20) {
    writeText('\\u00')
    writeByte('0123456789abcdef'.charCodeAt(byte >> 4))
    writeByte('0123456789abcdef'.charCodeAt(byte & 15))
  } else writeByte(byte)
}

function expect(count: i32, from: i32, to: i32): void {
  pending = count
  lowest = from
  highest = to
}

// Whether the bytes up to this one are valid UTF-8: no incomplete or overlong character, and no surrogate.
function isUtf8(byte: i32): bool {
  if (pending > 0) {
    if (byte < lowest || byte > highest) return false
    expect(pending - 1, 0x80, 0xbf)
  } else if (byte >= 0x80) {
    if (byte < 0xc2 || byte > 0xf4) return false
    if (byte < 0xe0) expect(1, 0x80, 0xbf)
    else if (byte < 0xf0) expect(2, byte == 0xe0 ? 0xa0 : 0x80, byte == 0xed ? 0x9f : 0xbf)
    else expect(3, byte == 0xf0 ? 0x90 : 0x80, byte == 0xf4 ? 0x8f : 0xbf)
  }
  return true
}

// An error is one line on standard error: the program, the place and the problem.
function reject(): void {
  flush(1)
  writeText('lines-to-json: line ')
  writeNumber(isLineOpen ? line : line + 1)
  writeText(' is not UTF-8\n')
  flush(2)
  exit(EXIT_BAD_INPUT)
}
