import { errno } from './errno.ts'
import type { GuestMemory } from './guest-memory.ts'
import { pollOneoff, readClock } from './preview1-clock.ts'
import type { Preview1State } from './preview1-state.ts'

/** Thrown by `proc_exit`, to end the run. */
export class ExitSignal extends Error {
  readonly code: number

  constructor(code: number) {
    super('The program has exited')
    this.code = code
  }
}

/** Thrown when the output limit is exceeded. */
export class OutputLimit extends Error {}

/** A function of preview 1 with unsigned parameters. Returns an error number. */
type Preview1Function = (state: Preview1State, ...parameters: (number | bigint)[]) => number

const isStream = ({ closed }: Preview1State, fd: number): boolean => fd < 3 && !closed.has(fd)

const size32 = 4
const filestatBytes = 64
const fdstatBytes = 24
const rightsToRead = 1n << 1n
const rightsToWrite = 1n << 6n

/** Writes strings as for `args_get` and `environ_get`: a list of addresses, and the bytes one after another. */
function putStrings(
  memory: GuestMemory,
  strings: readonly Uint8Array[],
  list: number,
  bytes: number,
): number {
  let at = bytes
  strings.forEach((string, index) => {
    memory.setU32(list + index * size32, at)
    memory.bytes(at, string.length + 1).set([...string, 0])
    at += string.length + 1
  })
  return errno.success
}

function putSizes(memory: GuestMemory, strings: readonly Uint8Array[], count: number, size: number): number {
  memory.setU32(count, strings.length)
  memory.setU32(
    size,
    strings.reduce((sum, { length }) => sum + length + 1, 0),
  )
  return errno.success
}

function fdRead(state: Preview1State, fd: number, list: number, count: number, total: number): number {
  if (!isStream(state, fd) || fd !== 0) return errno.badf
  let read = 0
  for (const piece of state.memory.pieces(list, count)) {
    const part = state.stdin.subarray(state.read, state.read + piece.length)
    piece.set(part)
    state.read += part.length
    read += part.length
    if (part.length < piece.length) break
  }
  state.memory.setU32(total, read)
  return errno.success
}

function fdWrite(state: Preview1State, fd: number, list: number, count: number, total: number): number {
  if (!isStream(state, fd) || fd === 0) return errno.badf
  const { memory, recorder } = state
  const stream = fd === 1 ? recorder.stdout : recorder.stderr
  let written = 0
  for (const piece of memory.pieces(list, count)) {
    if (!stream.write(piece)) throw new OutputLimit(fd === 1 ? 'standard output' : 'standard error')
    written += piece.length
  }
  memory.setU32(total, written)
  return errno.success
}

/** Streams behave like pipes: of unknown type, without position or size. */
function fdstatGet(state: Preview1State, fd: number, at: number): number {
  if (!isStream(state, fd)) return errno.badf
  state.memory.bytes(at, fdstatBytes).fill(0)
  state.memory.setU64(at + 8, fd === 0 ? rightsToRead : rightsToWrite)
  return errno.success
}

function filestatGet(state: Preview1State, fd: number, at: number): number {
  if (!isStream(state, fd)) return errno.badf
  state.memory.bytes(at, filestatBytes).fill(0)
  return errno.success
}

function fdClose(state: Preview1State, fd: number): number {
  if (!isStream(state, fd)) return errno.badf
  state.closed.add(fd)
  return errno.success
}

function randomGet({ memory }: Preview1State, at: number, length: number): number {
  const target = memory.bytes(at, length)
  const maxAtOnce = 65_536
  for (let done = 0; done < length; done += maxAtOnce) {
    // Filled in a separate buffer, because getRandomValues rejects shared memory.
    target.set(crypto.getRandomValues(new Uint8Array(Math.min(maxAtOnce, length - done))), done)
  }
  return errno.success
}

const ofStream =
  (answer: number): Preview1Function =>
  (state, fd) =>
    isStream(state, Number(fd)) ? answer : errno.badf

/** Handles functions with paths, given the parameter indices of their addresses (lengths follow). No file ever exists. */
const ofPath =
  (name: string, ...places: number[]): Preview1Function =>
  (state, ...parameters) => {
    for (const place of places) {
      const [at, length] = [Number(parameters[place]), Number(parameters[place + 1])]
      state.recorder.recordPath(name, state.memory.text(at, Math.min(length, 4096)))
    }
    // The directory is the third parameter of path_symlink and the first of all others.
    return isStream(state, Number(parameters[name === 'path_symlink' ? 2 : 0])) ? errno.notdir : errno.badf
  }

const num = (
  work: (state: Preview1State, a: number, b: number, c: number, d: number) => number,
): Preview1Function => {
  return (state, a = 0, b = 0, c = 0, d = 0) => work(state, Number(a), Number(b), Number(c), Number(d))
}

/** All 46 functions. The clock and random numbers are real, as in any other runtime. */
export const preview1: Readonly<Record<string, Preview1Function>> = {
  args_get: num(({ memory, args }, list, bytes) => putStrings(memory, args, list, bytes)),
  args_sizes_get: num(({ memory, args }, count, size) => putSizes(memory, args, count, size)),
  environ_get: () => errno.success,
  environ_sizes_get: num(({ memory }, count, size) => putSizes(memory, [], count, size)),
  clock_res_get: num((state, id, at) => {
    if (id > 3) return errno.inval
    state.memory.setU64(at, 1_000_000n)
    return errno.success
  }),
  clock_time_get: (state, id, _precision, at) => {
    const time = readClock(Number(id), state.startedAt)
    if (time === null) return errno.inval
    state.memory.setU64(Number(at), time)
    return errno.success
  },
  fd_advise: ofStream(errno.spipe),
  fd_allocate: ofStream(errno.notsup),
  fd_close: num(fdClose),
  fd_datasync: ofStream(errno.inval),
  fd_fdstat_get: num(fdstatGet),
  fd_fdstat_set_flags: ofStream(errno.success),
  fd_fdstat_set_rights: ofStream(errno.success),
  fd_filestat_get: num(filestatGet),
  fd_filestat_set_size: ofStream(errno.inval),
  fd_filestat_set_times: ofStream(errno.notsup),
  fd_pread: ofStream(errno.spipe),
  fd_prestat_get: () => errno.badf,
  fd_prestat_dir_name: () => errno.badf,
  fd_pwrite: ofStream(errno.spipe),
  fd_read: num(fdRead),
  fd_readdir: ofStream(errno.notdir),
  fd_renumber: ofStream(errno.notsup),
  fd_seek: ofStream(errno.spipe),
  fd_sync: ofStream(errno.inval),
  fd_tell: ofStream(errno.spipe),
  fd_write: num(fdWrite),
  path_create_directory: ofPath('path_create_directory', 1),
  path_filestat_get: ofPath('path_filestat_get', 2),
  path_filestat_set_times: ofPath('path_filestat_set_times', 2),
  path_link: ofPath('path_link', 2, 5),
  path_open: ofPath('path_open', 2),
  path_readlink: ofPath('path_readlink', 1),
  path_remove_directory: ofPath('path_remove_directory', 1),
  path_rename: ofPath('path_rename', 1, 4),
  path_symlink: ofPath('path_symlink', 0, 3),
  path_unlink_file: ofPath('path_unlink_file', 1),
  poll_oneoff: num(pollOneoff),
  proc_exit: num((_state, code) => {
    throw new ExitSignal(code)
  }),
  proc_raise: () => errno.notsup,
  sched_yield: () => errno.success,
  random_get: num(randomGet),
  sock_accept: ofStream(errno.notsock),
  sock_recv: ofStream(errno.notsock),
  sock_send: ofStream(errno.notsock),
  sock_shutdown: ofStream(errno.notsock),
}
