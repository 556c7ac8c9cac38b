import { PREVIEW1_FUNCTIONS } from '../../src/shared/wasm/wasi-preview1.ts'
import { assembleWat } from './assemble-wat.ts'

// Modules that do what a sandbox is for. All but the last ones are accepted at publish.

const functionImport = (name: string): string => {
  const { params, results } = PREVIEW1_FUNCTIONS.get(name) ?? { params: [], results: [] }
  const list = (word: string, types: readonly string[]): string =>
    types.map((type) => `(${word} ${type})`).join(' ')
  return `(import "wasi_snapshot_preview1" "${name}" (func $${name} ${list('param', params)} ${list('result', results)}))`
}

const imports = (...names: string[]): string => names.map(functionImport).join('\n')

const oneMemory = '(memory (export "memory") 1)'

/** Says something first, so that there is something to be seen of it. */
const sayHello = `(data (i32.const 0) "\\08\\00\\00\\00\\06\\00\\00\\00hello\\0a")
  (func $hello (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 100))))`

/** Calls every function of preview 1 with the same numbers: addresses of zeros, the descriptor 3. */
const callsEverything = (): string => {
  const calls = [...PREVIEW1_FUNCTIONS].flatMap(([name, { params, results }]) => {
    if (name === 'proc_exit') return []
    const parameters = params.map((type) => `(${type}.const 3)`).join(' ')
    const call = `(call $${name} ${parameters})`
    return results.length === 0 ? [call] : [`(drop ${call})`]
  })
  return `(func (export "_start") ${calls.join('\n')} (call $proc_exit (i32.const 42)))`
}

export const evilModules = {
  loop: `(module ${imports('fd_write')} ${oneMemory} ${sayHello}
    (func (export "_start") (call $hello) (loop $again (br $again))))`,

  /** Grows page by page, and traps when it gets no more. */
  grow: `(module ${oneMemory} (func (export "_start")
    (loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable)))`,

  /** Never gives up growing. */
  growForever: `(module ${oneMemory} (func (export "_start")
    (loop $again (drop (memory.grow (i32.const 1))) (br $again))))`,

  flood: `(module ${imports('fd_write')} ${oneMemory}
    (data (i32.const 0) "\\00\\01\\00\\00\\00\\10\\00\\00")
    (func (export "_start") (memory.fill (i32.const 256) (i32.const 120) (i32.const 4096))
      (loop $again (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 100))) (br $again))))`,

  /** Catches whatever its imports throw, and goes on. */
  stubbornFlood: `(module ${imports('fd_write')} ${oneMemory}
    (data (i32.const 0) "\\00\\01\\00\\00\\00\\10\\00\\00")
    (func (export "_start") (local $left i32) (local.set $left (i32.const 1000))
      (memory.fill (i32.const 256) (i32.const 120) (i32.const 4096))
      (loop $again
        (try (do (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 100)))) (catch_all))
        (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))`,

  /** Catches its own end, and writes after it. */
  stubbornExit: `(module ${imports('fd_write', 'proc_exit')} ${oneMemory} ${sayHello} (func (export "_start")
    (try (do (call $proc_exit (i32.const 3))) (catch_all)) (try (do (call $hello)) (catch_all))))`,

  trap: `(module ${imports('fd_write')} ${oneMemory} ${sayHello} (func (export "_start") (call $hello) (unreachable)))`,

  /** 1,536 pages are 96 MiB. */
  hugeMinimum: '(module (memory (export "memory") 1536) (func (export "_start")))',

  startLoop: `(module ${oneMemory} (func $spin (loop $again (br $again))) (start $spin) (func (export "_start")))`,

  startCalls: `(module ${imports('fd_write')} ${oneMemory} ${sayHello} (start $hello) (func (export "_start")))`,

  recursion: `(module ${oneMemory} (func $deeper (param i32) (result i32)
    (i32.add (call $deeper (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))
    (func (export "_start") (drop (call $deeper (i32.const 0)))))`,

  everything: (): string =>
    `(module ${imports(...PREVIEW1_FUNCTIONS.keys())} ${oneMemory} ${callsEverything()})`,

  /** Opens /etc/passwd below the first directory that it might have been given. */
  opensFile: `(module ${imports('path_open', 'fd_prestat_get')} ${oneMemory} (data (i32.const 0) "/etc/passwd")
    (func (export "_start")
      (drop (call $fd_prestat_get (i32.const 3) (i32.const 64)))
      (drop (call $path_open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 11) (i32.const 0)
        (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 64)))))`,

  /** A million tables' entries and more, which lie outside of its memory. */
  tableGrow: `(module ${oneMemory} (table $t 1 funcref) (func (export "_start")
    (loop $again (br_if $again (i32.ne (table.grow $t (ref.null func) (i32.const 100000)) (i32.const -1)))) (unreachable)))`,

  tableHuge: `(module ${oneMemory} (table 5000000 funcref) (func (export "_start")))`,

  /** Sleeps for the milliseconds of its one clock subscription, 50. */
  sleep: `(module ${imports('poll_oneoff')} ${oneMemory}
    (func (export "_start")
      (i32.store (i32.const 16) (i32.const 1))
      (i64.store (i32.const 24) (i64.const 50000000))
      (if (call $poll_oneoff (i32.const 0) (i32.const 256) (i32.const 1) (i32.const 512)) (then (unreachable)))
      (if (i32.ne (i32.load (i32.const 512)) (i32.const 1)) (then (unreachable)))))`,
} as const

/** Bytes of one of them. */
export const evilModule = (name: keyof typeof evilModules): Promise<Uint8Array<ArrayBuffer>> => {
  const source = evilModules[name]
  return assembleWat(typeof source === 'string' ? source : source())
}
