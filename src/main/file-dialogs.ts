import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { dialog } from 'electron'
import type { OpenDialogOptions } from 'electron'
import { maxBlogImageBytes } from '../shared/contracts/images.ts'
import { maxChosenImages } from '../shared/ipc-schema.ts'
import type { IpcHandlers } from '../shared/ipc-schema.ts'
import { texts } from './app.texts.ts'
import { assertDigest, writeChecked } from './save-module.ts'

interface FileDialogs {
  handlers: IpcHandlers['files']
  /** Whether the person has chosen this data folder in the dialog. A page must not name a folder by itself. */
  isChosenForData(path: string): boolean
  /** The path of the chosen backup; null if the dialog was canceled. */
  chooseBackup(): Promise<string | null>
}

const { folder, backup, images, module } = texts.files

const mebibyte = 1_048_576

/** The system's dialogs for files and folders. */
export function createFileDialogs(): FileDialogs {
  let chosenForData: string | null = null

  const choose = async (options: OpenDialogOptions): Promise<string[]> => {
    const { canceled, filePaths } = await dialog.showOpenDialog(options)
    return canceled ? [] : filePaths
  }

  return {
    isChosenForData: (path) => path === chosenForData,
    async chooseBackup() {
      const [path] = await choose({
        title: backup.title,
        properties: ['openFile'],
        filters: [
          { name: backup.type, extensions: ['tar'] },
          { name: backup.all, extensions: ['*'] },
        ],
      })
      return path ?? null
    },
    handlers: {
      async chooseFolder({ purpose }) {
        const [path] = await choose({
          title: folder[purpose],
          properties: ['openDirectory', 'createDirectory'],
        })
        if (path === undefined) return null
        if (purpose === 'data') chosenForData = path
        return path
      },
      async chooseImages() {
        const paths = await choose({
          title: images.title,
          properties: ['openFile', 'multiSelections'],
          filters: [{ name: images.type, extensions: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'] }],
        })
        if (paths.length > maxChosenImages) {
          throw new Error(images.tooMany(paths.length, maxChosenImages))
        }
        if (paths.length === 0) return null
        await assertSizes(paths, maxBlogImageBytes)
        return Promise.all(paths.map(readChosen))
      },
      async saveModule({ name, sha256, bytes }) {
        assertDigest(bytes, sha256)
        const { canceled, filePath } = await dialog.showSaveDialog({
          title: module.title,
          defaultPath: name,
          filters: [{ name: module.type, extensions: ['wasm'] }],
        })
        if (canceled || filePath === '') return null
        await writeChecked(filePath, bytes, sha256)
        return { saved: filePath }
      },
    },
  }
}

async function assertSizes(paths: readonly string[], maxBytes: number): Promise<void> {
  let total = 0
  for (const path of paths) {
    const { size } = await stat(path)
    if (size > maxBytes) {
      throw new Error(images.tooLarge(basename(path), Math.ceil(size / mebibyte), maxBytes / mebibyte))
    }
    total += size
  }
  if (total > maxBytes) throw new Error(images.tooLargeTogether(maxBytes / mebibyte))
}

const readChosen = async (path: string) => ({
  name: basename(path),
  bytes: new Uint8Array(await readFile(path)),
})
