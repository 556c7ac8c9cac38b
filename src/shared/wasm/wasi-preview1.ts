import type { FunctionSignature } from './module-summary.ts'

/** The module name of all imports of a command module. */
export const PREVIEW1_MODULE = 'wasi_snapshot_preview1'

const types = (letters: string): string[] =>
  letters.split('').map((letter) => (letter === 'I' ? 'i64' : 'i32'))

// The parameters of each function of WASI snapshot preview 1, i for i32 and I for i64. All return an i32 error number,
// except proc_exit, which does not return.
const PARAMETERS: Readonly<Record<string, string>> = {
  args_get: 'ii',
  args_sizes_get: 'ii',
  environ_get: 'ii',
  environ_sizes_get: 'ii',
  clock_res_get: 'ii',
  clock_time_get: 'iIi',
  fd_advise: 'iIIi',
  fd_allocate: 'iII',
  fd_close: 'i',
  fd_datasync: 'i',
  fd_fdstat_get: 'ii',
  fd_fdstat_set_flags: 'ii',
  fd_fdstat_set_rights: 'iII',
  fd_filestat_get: 'ii',
  fd_filestat_set_size: 'iI',
  fd_filestat_set_times: 'iIIi',
  fd_pread: 'iiiIi',
  fd_prestat_get: 'ii',
  fd_prestat_dir_name: 'iii',
  fd_pwrite: 'iiiIi',
  fd_read: 'iiii',
  fd_readdir: 'iiiIi',
  fd_renumber: 'ii',
  fd_seek: 'iIii',
  fd_sync: 'i',
  fd_tell: 'ii',
  fd_write: 'iiii',
  path_create_directory: 'iii',
  path_filestat_get: 'iiiii',
  path_filestat_set_times: 'iiiiIIi',
  path_link: 'iiiiiii',
  path_open: 'iiiiiIIii',
  path_readlink: 'iiiiii',
  path_remove_directory: 'iii',
  path_rename: 'iiiiii',
  path_symlink: 'iiiii',
  path_unlink_file: 'iii',
  poll_oneoff: 'iiii',
  proc_exit: 'i',
  proc_raise: 'i',
  sched_yield: '',
  random_get: 'ii',
  sock_accept: 'iii',
  sock_recv: 'iiiiii',
  sock_send: 'iiiii',
  sock_shutdown: 'ii',
}

/** All 46 functions of preview 1 with their exact signatures. */
export const PREVIEW1_FUNCTIONS: ReadonlyMap<string, FunctionSignature> = new Map(
  Object.entries(PARAMETERS).map(([name, letters]) => [
    name,
    { params: types(letters), results: name === 'proc_exit' ? [] : ['i32'] },
  ]),
)
