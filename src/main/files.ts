import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { dialog } from 'electron'
import type { OpenDialogOptions } from 'electron'
import { maxBlogImageBytes } from '../shared/contracts/images.ts'
import { maxChosenImages } from '../shared/ipc-schema.ts'
import type { IpcHandlers } from '../shared/ipc-schema.ts'
import { assertDigest, writeChecked } from './save-module.ts'

export interface Files {
  handlers: IpcHandlers['files']
  /** Whether the person has chosen this data folder in the dialog. A page must not name a folder by itself. */
  isChosenForData(path: string): boolean
  /** The path of the chosen backup; null if the dialog was canceled. */
  chooseBackup(): Promise<string | null>
}

const mebibyte = 1_048_576

const folderTitles = { data: 'Choose the data folder', agents: 'Choose the agent project' }

/** The system's dialogs for files and folders. */
export function createFiles(): Files {
  let chosenForData: string | null = null

  const choose = async (options: OpenDialogOptions): Promise<string[]> => {
    const { canceled, filePaths } = await dialog.showOpenDialog(options)
    return canceled ? [] : filePaths
  }

  return {
    isChosenForData: (path) => path === chosenForData,
    async chooseBackup() {
      const [path] = await choose({
        title: 'Choose a backup',
        properties: ['openFile'],
        filters: [
          { name: 'Skilldock backups', extensions: ['tar'] },
          { name: 'All files', extensions: ['*'] },
        ],
      })
      return path ?? null
    },
    handlers: {
      async chooseFolder({ purpose }) {
        const [path] = await choose({
          title: folderTitles[purpose],
          properties: ['openDirectory', 'createDirectory'],
        })
        if (path === undefined) return null
        if (purpose === 'data') chosenForData = path
        return path
      },
      async chooseImages() {
        const paths = await choose({
          title: 'Choose images',
          properties: ['openFile', 'multiSelections'],
          filters: [{ name: 'Images', extensions: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'avif'] }],
        })
        if (paths.length > maxChosenImages) {
          throw new Error(`You chose ${paths.length} images. Choose at most ${maxChosenImages} at once.`)
        }
        if (paths.length === 0) return null
        const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
        if (sizes.reduce((sum, size) => sum + size, 0) > maxBlogImageBytes) {
          throw new Error(
            `The images are larger than ${maxBlogImageBytes / mebibyte} MiB in total. Choose fewer at once.`,
          )
        }
        return Promise.all(paths.map((path) => readChosen(path, maxBlogImageBytes)))
      },
      async saveModule({ name, sha256, bytes }) {
        assertDigest(bytes, sha256)
        const { canceled, filePath } = await dialog.showSaveDialog({
          title: 'Save module',
          defaultPath: name,
          filters: [{ name: 'WebAssembly module', extensions: ['wasm'] }],
        })
        if (canceled || filePath === '') return null
        await writeChecked(filePath, bytes, sha256)
        return { saved: filePath }
      },
    },
  }
}

async function readChosen(path: string, maxBytes: number) {
  const { size } = await stat(path)
  const name = basename(path)
  if (size > maxBytes) {
    throw new Error(`${name} is ${Math.ceil(size / mebibyte)} MiB; the limit is ${maxBytes / mebibyte} MiB.`)
  }
  return { name, bytes: new Uint8Array(await readFile(path)) }
}
