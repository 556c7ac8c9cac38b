import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { makeAgentProject, withProject } from './agent-project.ts'
import type { AgentProject } from './agent-project.ts'

const pageBytes = 4096
/** Payload of an overflow page, without the number of the next page. */
const overflowBytes = pageBytes - 4
/** Bytes of a payload stored in its cell if the rest fills complete overflow pages (SQLite's file format, 1.6). */
const localBytes = Math.trunc(((pageBytes - 12) * 32) / 255) - 23

/** A number in SQLite's format: seven bits per byte, the highest first. */
function varint(value: number): number[] {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) + 128)
  }
  return bytes
}

const textType = (bytes: number): number => 2 * bytes + 13

/**
 * A cell of a table page whose row has, after `values`, a text claiming almost `claimed` bytes and a text of 64 bytes.
 * All but the first bytes of the row are in the chain of overflow pages starting at `chain`.
 */
function hugeCell(id: number, values: readonly (string | number)[], claimed: number, chain: number): Buffer {
  const types = values.map((value) => (typeof value === 'number' ? 1 : textType(value.length)))
  const small = Buffer.concat(
    values.map((value) => (typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value))),
  )
  const build = (text: number): { header: number[]; bytes: number } => {
    const after = [...types, textType(text), textType(64)].flatMap(varint)
    const header = [after.length + 1, ...after]
    return { header, bytes: header.length + small.length + text + 64 }
  }
  const text = claimed - ((build(claimed).bytes - localBytes) % overflowBytes)
  const { header, bytes } = build(text)
  const local = Buffer.alloc(localBytes, 'a')
  Buffer.concat([Buffer.from(header), small]).copy(local)
  const next = Buffer.alloc(4)
  next.writeUInt32BE(chain)
  return Buffer.concat([Buffer.from([...varint(bytes), ...varint(id)]), local, next])
}

/** Replaces the cells of a leaf page; the first page starts with the header of the file. */
function fillLeaf(page: Buffer, cells: readonly Buffer[], offset = 0): void {
  page.fill(0, offset)
  page[offset] = 0x0d
  page.writeUInt16BE(cells.length, offset + 3)
  let at = pageBytes
  for (const [index, cell] of cells.entries()) {
    at -= cell.length
    cell.copy(page, at)
    page.writeUInt16BE(at, offset + 8 + 2 * index)
  }
  page.writeUInt16BE(at, offset + 5)
}

/**
 * Writes a page that names itself as the next one of its chain, and passes another page of the same file to `change`.
 */
function addLoop(
  file: string,
  number: number,
  claimed: number,
  change: (page: Buffer, chain: number) => void,
): void {
  const fd = openSync(file, 'r+')
  try {
    const header = Buffer.alloc(100)
    readSync(fd, header, 0, header.length, 0)
    const chain = header.readUInt32BE(28) + 1
    // SQLite rejects cells larger than the file; the new pages take no disk space.
    const pages = Math.ceil(claimed / pageBytes) + chain
    ftruncateSync(fd, pages * pageBytes)
    header.writeUInt32BE(pages, 28)
    writeSync(fd, header, 0, header.length, 0)

    const looping = Buffer.alloc(pageBytes, 'a')
    looping.writeUInt32BE(chain)
    writeSync(fd, looping, 0, pageBytes, (chain - 1) * pageBytes)

    const page = Buffer.alloc(pageBytes)
    readSync(fd, page, 0, pageBytes, (number - 1) * pageBytes)
    change(page, chain)
    writeSync(fd, page, 0, pageBytes, (number - 1) * pageBytes)
  } finally {
    closeSync(fd)
  }
}

/**
 * A project whose seven audit rows share one overflow page that names itself as the next one: each `detail` claims 500
 * MB, while the file uses a few pages of the disk.
 */
export function makeLoopingProject(folder: string): AgentProject {
  const claimed = 500_000_000
  const project = makeAgentProject(folder, { journal: 'delete' })
  const root = withProject(project, (database) =>
    Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'audit_log'").pluck().get()),
  )
  addLoop(project.file, root, claimed, (page, chain) => {
    const values = ['', '2026-11-01 10:00:00', 1, 'looping', 'agent.step']
    fillLeaf(
      page,
      Array.from({ length: 7 }, (_, index) => hugeCell(index + 1, values, claimed, chain)),
    )
  })
  return project
}
