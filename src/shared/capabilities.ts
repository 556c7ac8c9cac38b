export const capabilityKeys = [
  'stdin',
  'stdout',
  'read',
  'write',
  'arguments',
  'environment',
  'clock',
  'wait',
  'random',
  'sockets',
  'exit',
  'streams',
  'unknown',
] as const
export type CapabilityKey = (typeof capabilityKeys)[number]

/** What a module can do, in plain words, and the imported functions that make it possible. */
export interface Capability {
  key: CapabilityKey
  label: string
  /** For the list "Not imported: …". */
  noun: string
  functions: string[]
}

interface Group {
  key: CapabilityKey
  label: string
  noun: string
  functions: string
}

// Each of the 46 functions of preview 1 is listed once.
const groups: readonly Group[] = [
  { key: 'stdin', label: 'Reads standard input', noun: 'standard input', functions: 'fd_read' },
  { key: 'stdout', label: 'Writes standard output', noun: 'standard output', functions: 'fd_write' },
  {
    key: 'read',
    label: 'Reads files',
    noun: 'reading files',
    functions:
      'path_open fd_prestat_get fd_prestat_dir_name fd_pread fd_readdir fd_filestat_get fd_advise path_filestat_get path_readlink',
  },
  {
    key: 'write',
    label: 'Writes files',
    noun: 'writing files',
    functions:
      'fd_pwrite fd_allocate fd_sync fd_datasync fd_filestat_set_size fd_filestat_set_times path_filestat_set_times path_create_directory path_remove_directory path_rename path_link path_symlink path_unlink_file',
  },
  { key: 'arguments', label: 'Reads its arguments', noun: 'arguments', functions: 'args_get args_sizes_get' },
  {
    key: 'environment',
    label: 'Reads the environment',
    noun: 'the environment',
    functions: 'environ_get environ_sizes_get',
  },
  { key: 'clock', label: 'Reads the clock', noun: 'the clock', functions: 'clock_time_get clock_res_get' },
  { key: 'wait', label: 'Waits for time or input', noun: 'waiting', functions: 'poll_oneoff sched_yield' },
  { key: 'random', label: 'Gets random numbers', noun: 'random numbers', functions: 'random_get' },
  {
    key: 'sockets',
    label: 'Uses sockets it is given',
    noun: 'sockets',
    functions: 'sock_accept sock_recv sock_send sock_shutdown',
  },
  { key: 'exit', label: 'Exits the process', noun: 'exiting', functions: 'proc_exit proc_raise' },
  {
    key: 'streams',
    label: 'Manages open streams',
    noun: 'managing open streams',
    functions: 'fd_close fd_seek fd_tell fd_fdstat_get fd_fdstat_set_flags fd_fdstat_set_rights fd_renumber',
  },
]

/** The capabilities that a module imports, and those that it does not. Unknown functions form their own group. */
export function readCapabilities(imports: readonly string[]): {
  imported: Capability[]
  notImported: string[]
} {
  const functions = new Set(imports)
  const imported: Capability[] = []
  const notImported: string[] = []
  const known = new Set<string>()
  for (const { key, label, noun, functions: names } of groups) {
    const all = names.split(' ')
    for (const name of all) known.add(name)
    const found = all.filter((name) => functions.has(name))
    // The same function writes opened files and standard output.
    if (key === 'write' && functions.has('path_open') && functions.has('fd_write')) {
      found.unshift('path_open with fd_write')
    }
    if (found.length > 0) imported.push({ key, label, noun, functions: found })
    else if (key !== 'streams') notImported.push(noun)
  }
  const unknown = imports.filter((name) => !known.has(name))
  if (unknown.length > 0)
    imported.push({ key: 'unknown', label: 'Unknown functions', noun: '', functions: unknown })
  return { imported, notImported }
}

/**
 * Capabilities of `after` that `before` does not have. Managing streams that are already open does not count, because it
 * enables nothing beyond the other groups.
 */
export function newCapabilities(before: readonly string[], after: readonly string[]): Capability[] {
  const had = new Set(readCapabilities(before).imported.map(({ key }) => key))
  const known = new Set(before)
  return readCapabilities(after).imported.filter(({ key, functions }) => {
    if (key === 'streams') return false
    return key === 'unknown' ? functions.some((name) => !known.has(name)) : !had.has(key)
  })
}
