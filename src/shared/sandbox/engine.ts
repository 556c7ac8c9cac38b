/** A module that the engine has compiled. */
export type EngineModule = object

export interface EngineMemory {
  readonly buffer: ArrayBufferLike
}

type EngineFunction = (...parameters: (number | bigint)[]) => number

// The parts of the WebAssembly API that are used. The types of Node do not include it, while those of the DOM do.
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
