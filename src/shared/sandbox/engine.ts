/** A module that the engine has compiled. */
export type EngineModule = object

export interface EngineMemory {
  readonly buffer: ArrayBufferLike
}

type EngineFunction = (...parameters: (number | bigint)[]) => number

// What is used of the engine's interface: the types of a server know none of it, and those of a page all.
declare const WebAssembly: {
  validate(bytes: Uint8Array<ArrayBuffer>): boolean
  Module: new (bytes: Uint8Array<ArrayBuffer>) => EngineModule
  Instance: new (
    module: EngineModule,
    imports: Record<string, Record<string, EngineFunction>>,
  ) => { exports: Record<string, unknown> }
  Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => EngineMemory
  LinkError: new () => Error
  Exception: new () => object
}

export const engine = WebAssembly
