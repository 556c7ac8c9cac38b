import type { EngineMemory } from './engine.ts'

/** Thrown if a function gets an address outside of the module's memory. */
export class MemoryFault extends Error {}

const utf8 = new TextDecoder()

/** Access to a module's memory for the functions that it calls. Every address is checked. */
export class GuestMemory {
  readonly #memory: EngineMemory

  constructor(memory: EngineMemory) {
    this.#memory = memory
  }

  get size(): number {
    return this.#memory.buffer.byteLength
  }

  u8(at: number): number {
    return this.#view(at, 1).getUint8(0)
  }

  u16(at: number): number {
    return this.#view(at, 2).getUint16(0, true)
  }

  u32(at: number): number {
    return this.#view(at, 4).getUint32(0, true)
  }

  u64(at: number): bigint {
    return this.#view(at, 8).getBigUint64(0, true)
  }

  setU8(at: number, value: number): void {
    this.#view(at, 1).setUint8(0, value)
  }

  setU16(at: number, value: number): void {
    this.#view(at, 2).setUint16(0, value, true)
  }

  setU32(at: number, value: number): void {
    this.#view(at, 4).setUint32(0, value, true)
  }

  setU64(at: number, value: bigint): void {
    this.#view(at, 8).setBigUint64(0, value, true)
  }

  /** A view of the memory, not a copy. */
  bytes(at: number, length: number): Uint8Array {
    this.#view(at, length)
    return new Uint8Array(this.#memory.buffer, at, length)
  }

  text(at: number, length: number): string {
    // Copied, because a decoder does not accept shared memory.
    return utf8.decode(this.bytes(at, length).slice())
  }

  /** The buffers of an array of `ciovec`, each an address and a length. */
  *pieces(at: number, count: number): Generator<Uint8Array> {
    for (let piece = 0; piece < count; piece += 1) {
      const entry = at + piece * 8
      yield this.bytes(this.u32(entry), this.u32(entry + 4))
    }
  }

  #view(at: number, length: number): DataView {
    // The buffer is replaced when the memory grows.
    const { buffer } = this.#memory
    if (at + length > buffer.byteLength) throw new MemoryFault()
    return new DataView(buffer, at, length)
  }
}
