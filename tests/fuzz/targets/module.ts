import { checkCommandModule } from '../../../src/shared/wasm/command-module.rules.ts'
import { describeModule } from '../../../src/shared/wasm/describe-module.ts'
import { readModule } from '../../../src/shared/wasm/read-module.ts'
import { assembleWat } from '../../support/fixtures/assemble-wat.ts'
import { collectedTypesModule } from '../../support/fixtures/wasm-bytes.ts'
import { assert } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

export async function moduleTarget(): Promise<Target> {
  const texts = [
    '(module (memory (export "memory") 1) (func (export "_start")))',
    `(module
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 2 9) (table 2 funcref) (global (mut i64) (i64.const -1))
      (data (i32.const 8) "hello\\0a") (elem (i32.const 0) func $write)
      (func (export "_start") (local i32 i64 v128)
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 20)))))`,
  ]
  return {
    batchSize: 250,
    seeds: [...(await Promise.all(texts.map(assembleWat))), collectedTypesModule()],
    words: [
      '\0asm\x01\0\0\0',
      '\xff\xff\xff\xff\x0f',
      '\x80\x80\x80\x80\x00',
      '_start',
      'memory',
      'name',
      '\x0b',
    ],
    read(bytes) {
      const reading = readModule(bytes)
      if (reading.ok) {
        if (checkCommandModule(reading.module).length === 0) describeModule(bytes, reading.module)
        return
      }
      const { offset, code } = reading.problem
      assert(offset >= 0 && offset <= bytes.length, 'a problem lies outside the file')
      assert(
        code === 'limit' || !WebAssembly.validate(bytes),
        `a valid module was refused: ${JSON.stringify(reading.problem)}`,
      )
    },
  }
}
