import { strict } from './strict.ts'

const nobody = (what: string) => Promise.reject(new Error(`Nobody answers: ${what}`))

/** There is nobody to answer: a test that expects a question puts its own answer here, as on real Electron. */
export const dialog = strict('dialog', {
  showErrorBox(title: string, content: string): void {
    // Before the app is ready Electron does the same on Linux.
    process.stderr.write(`${title}\n${content}\n`)
  },
  showMessageBox(options: { message: string }): Promise<{ response: number; checkboxChecked: boolean }> {
    return nobody(options.message)
  },
  showOpenDialog(options: { title?: string }): Promise<{ canceled: boolean; filePaths: string[] }> {
    return nobody(options.title ?? 'a file to open')
  },
  showSaveDialog(options: { title?: string }): Promise<{ canceled: boolean; filePath: string }> {
    return nobody(options.title ?? 'a file to save')
  },
})
