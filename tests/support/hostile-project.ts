import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { makeAgentProject, withProject } from './agent-project.ts'
import type { AgentProject } from './agent-project.ts'

const pageBytes = 4096
/** What an overflow page holds besides the number of the next one. */
const overflowBytes = pageBytes - 4
/** The bytes of a payload that stay in its cell when the rest fills whole overflow pages (SQLite's file format, 1.6). */
const localBytes = Math.trunc(((pageBytes - 12) * 32) / 255) - 23

/** A number as SQLite writes it: seven bits a byte, the highest first. */
function varint(value: number): number[] {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) + 128)
  }
  return bytes
}

const textType = (bytes: number): number => 2 * bytes + 13

/** One row of `audit_log` whose `detail` claims almost `claimed` bytes, all of them in the chain from page `chain` on. */
function auditCell(id: number, claimed: number, chain: number): Buffer {
  const [timestamp, agent, event, digest] = ['2026-11-01 10:00:00', 'looping', 'agent.step', '0'.repeat(64)]
  const widths = (detail: number): number[] => [
    0,
    textType(timestamp.length),
    1,
    textType(agent.length),
    textType(event.length),
    textType(detail),
    textType(digest.length),
  ]
  const build = (detail: number): { header: number[]; body: Buffer; bytes: number } => {
    const types = widths(detail).flatMap(varint)
    const header = [types.length + 1, ...types]
    const body = Buffer.concat([Buffer.from(timestamp), Buffer.from([1]), Buffer.from(agent + event)])
    return { header, body, bytes: header.length + body.length + detail + digest.length }
  }
  const detail = claimed - ((build(claimed).bytes - localBytes) % overflowBytes)
  const { header, body, bytes } = build(detail)
  const local = Buffer.alloc(localBytes, 'a')
  Buffer.from([...header, ...body]).copy(local)
  const next = Buffer.alloc(4)
  next.writeUInt32BE(chain)
  return Buffer.concat([Buffer.from([...varint(bytes), ...varint(id)]), local, next])
}

/**
 * A project whose few audit rows share one overflow page that names itself as the next one: each `detail` claims
 * `claimed` bytes, and the file takes a few pages of the disk.
 */
export function makeLoopingProject(folder: string, claimed = 500_000_000): AgentProject {
  const project = makeAgentProject(folder, { journal: 'delete' })
  const root = withProject(project, (database) =>
    Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'audit_log'").pluck().get()),
  )
  const fd = openSync(project.file, 'r+')
  try {
    const header = Buffer.alloc(100)
    readSync(fd, header, 0, header.length, 0)
    const chain = header.readUInt32BE(28) + 1
    const pages = Math.ceil(claimed / pageBytes) + chain
    ftruncateSync(fd, pages * pageBytes)
    header.writeUInt32BE(pages, 28)
    writeSync(fd, header, 0, header.length, 0)

    const looping = Buffer.alloc(pageBytes, 'a')
    looping.writeUInt32BE(chain)
    writeSync(fd, looping, 0, pageBytes, (chain - 1) * pageBytes)

    const cells = Array.from({ length: 7 }, (_, index) => auditCell(index + 1, claimed, chain))
    const leaf = Buffer.alloc(pageBytes)
    leaf[0] = 0x0d
    leaf.writeUInt16BE(cells.length, 3)
    let at = pageBytes
    for (const [index, cell] of cells.entries()) {
      at -= cell.length
      cell.copy(leaf, at)
      leaf.writeUInt16BE(at, 8 + 2 * index)
    }
    leaf.writeUInt16BE(at, 5)
    writeSync(fd, leaf, 0, pageBytes, (root - 1) * pageBytes)
  } finally {
    closeSync(fd)
  }
  return project
}
