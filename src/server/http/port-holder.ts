import { execFile } from 'node:child_process'
import { readFile, readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'

interface PortHolder {
  pid: number
  command: string
}

/** Milliseconds that `lsof` may take. */
const lsofTimeoutMs = 2000

/** The process that listens on a TCP port, or null if it isn't found. */
export async function findPortHolder(port: number): Promise<PortHolder | null> {
  try {
    if (process.platform === 'linux') return await searchProc(port)
    if (process.platform === 'darwin') return await runLsof(port)
    return null
  } catch {
    return null
  }
}

/** Linux: /proc/net/tcp lists the socket's inode, which is among the descriptors of its process. */
async function searchProc(port: number): Promise<PortHolder | null> {
  const inodes = await listeningInodes(port)
  if (inodes.size === 0) return null
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const descriptor of descriptors) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
      if (inode === undefined || !inodes.has(inode)) continue
      return { pid: Number(pid), command: await programOf(pid) }
    }
  }
  return null
}

/** The process's program name. The kernel's own name is that of the first thread, which Node calls MainThread. */
async function programOf(pid: string): Promise<string> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const program = basename(commandLine.split('\0')[0] ?? '')
  if (program !== '') return program
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name.trim() || 'unknown'
}

async function listeningInodes(port: number): Promise<Set<string>> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '')
    for (const line of text.split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      const listening = state === '0A'
      if (listening && local?.endsWith(`:${hexPort}`) === true && inode !== undefined) inodes.add(inode)
    }
  }
  return inodes
}

async function runLsof(port: number): Promise<PortHolder | null> {
  const { stdout } = await promisify(execFile)('lsof', ['-nP', '-Fpc', `-iTCP:${port}`, '-sTCP:LISTEN'], {
    timeout: lsofTimeoutMs,
  })
  const pid = /^p(\d+)$/m.exec(stdout)?.[1]
  const command = /^c(.+)$/m.exec(stdout)?.[1]
  return pid === undefined ? null : { pid: Number(pid), command: command ?? 'unknown' }
}
