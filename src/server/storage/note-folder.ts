import { readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { replaceFiles } from '../../files/durable-files.ts'
import type { NoteKey } from './note-key.ts'

/** A file with a note. */
export interface NoteFile {
  name: string
  text: string
}

/** Signs texts and writes them so that they survive a crash. Reads `notes` while earlier ones are being written. */
export async function writeNotes(folder: string, key: NoteKey, notes: Iterable<NoteFile>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await replaceFiles(folder, signed(notes, key))
}

function* signed(notes: Iterable<NoteFile>, key: NoteKey): Generator<{ name: string; contents: string }> {
  for (const { name, text } of notes) yield { name, contents: key.sign(text) }
}

/** The text of a note; null if the file is missing, longer than `maxBytes`, or not signed with this key. */
export function readNote(path: string, key: NoteKey, maxBytes: number): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size === 0 || size > maxBytes ? null : key.open(readFileSync(path, 'utf8'))
}
