import { strict } from './strict.ts'

const unanswered = (what: string) =>
  Promise.reject(new Error(`No answer was set up for this dialog: ${what}`))

/** A test that expects a dialog replaces its method with an answer, as on real Electron. */
export const dialog = strict('dialog', {
  showErrorBox(title: string, content: string): void {
    // As Electron does on Linux before the app is ready.
    process.stderr.write(`${title}\n${content}\n`)
  },
  showMessageBox(options: { message: string }): Promise<{ response: number; checkboxChecked: boolean }> {
    return unanswered(options.message)
  },
  showOpenDialog(options: { title?: string }): Promise<{ canceled: boolean; filePaths: string[] }> {
    return unanswered(options.title ?? 'a file to open')
  },
  showSaveDialog(options: { title?: string }): Promise<{ canceled: boolean; filePath: string }> {
    return unanswered(options.title ?? 'a file to save')
  },
})
