import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SkillManifest } from '../../../src/shared/contracts/manifest.ts'
import { assembleWat } from '../fixtures/assemble-wat.ts'
import { temporaryFolder } from '../server/command-line.ts'
import { goodManifest } from '../fixtures/findings.ts'

/** The files of a skill project. */
export interface ProjectFiles {
  manifest: SkillManifest
  /** The text of manifest.json; by default the serialized manifest. */
  text?: string | Uint8Array
  wasm: Uint8Array
}

/** A manifest for `stepModule` without findings. */
export const quietManifest = (change: Partial<SkillManifest> = {}): SkillManifest => ({
  ...goodManifest,
  examples: [{ input: 'abc', output: 'bbc' }],
  ...change,
})

/** A command module that copies the first 1,000 bytes of input and increments the first. Each number gives different bytes. */
export const stepModule = (number = 0): Promise<Uint8Array<ArrayBuffer>> =>
  assembleWat(`(module
    (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1 2)
    (func (export "_start")
      (drop (i32.const ${number}))
      (i32.store (i32.const 0) (i32.const 64))
      (i32.store (i32.const 4) (i32.const 1000))
      (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
      (i32.store8 (i32.const 64) (i32.add (i32.load8_u (i32.const 64)) (i32.const 1)))
      (i32.store (i32.const 4) (i32.load (i32.const 8)))
      (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))))`)

/** Writes manifest.json and NAME.wasm to a folder, by default a new one. */
export async function writeProject(
  { manifest, text, wasm }: ProjectFiles,
  folder = temporaryFolder(),
): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'manifest.json'), text ?? `${JSON.stringify(manifest, null, 2)}\n`)
  await writeFile(join(folder, `${manifest.name}.wasm`), wasm)
  return folder
}
