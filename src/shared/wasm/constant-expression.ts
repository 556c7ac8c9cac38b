import type { ByteReader } from './byte-reader.ts'
import { refuse } from './module-problem.ts'
import { readHeapType } from './value-types.ts'

const WHAT = 'a constant expression'

// Instructions without operands that constant expressions may contain: add, subtract and multiply.
const WITHOUT_OPERANDS: ReadonlySet<number> = new Set([0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e])

// The number of index operands of each instruction with the garbage collection prefix.
const GC_OPERANDS: Readonly<Record<number, number>> = { 0: 1, 1: 1, 6: 1, 7: 1, 8: 2, 26: 0, 27: 0, 28: 0 }

const unknown = (reader: ByteReader, at: number): never =>
  refuse('unsupported', `${reader.where} has an unknown instruction in ${WHAT}`, at)

const skipGc = (reader: ByteReader, at: number): void => {
  const operands = GC_OPERANDS[reader.u32(WHAT)] ?? unknown(reader, at)
  for (let done = 0; done < operands; done += 1) reader.u32(WHAT)
}

const skipVector = (reader: ByteReader, at: number): void => {
  const V128_CONST = 12
  if (reader.u32(WHAT) !== V128_CONST) unknown(reader, at)
  reader.skip(16, WHAT)
}

/** Skips a constant expression and its `end`. Does not check types. */
export const skipConstantExpression = (reader: ByteReader): void => {
  const END = 0x0b
  for (;;) {
    const at = reader.offset
    const opcode = reader.byte(WHAT)
    if (opcode === END) return
    if (WITHOUT_OPERANDS.has(opcode)) continue
    switch (opcode) {
      case 0x41: // i32.const
        reader.skipNumber(5, WHAT)
        break
      case 0x42: // i64.const
        reader.skipNumber(10, WHAT)
        break
      case 0x43: // f32.const
        reader.skip(4, WHAT)
        break
      case 0x44: // f64.const
        reader.skip(8, WHAT)
        break
      case 0x23: // global.get
      case 0xd2: // ref.func
        reader.u32(WHAT)
        break
      case 0xd0: // ref.null
        readHeapType(reader)
        break
      case 0xfb:
        skipGc(reader, at)
        break
      case 0xfd:
        skipVector(reader, at)
        break
      default:
        unknown(reader, at)
    }
  }
}
