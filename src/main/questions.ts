import { dialog } from 'electron'

export interface Question {
  message: string
  detail: string
  /** The last one is what happens without an answer. */
  buttons: readonly [string, ...string[]]
}

/** Gives the button; the key that somebody happens to press in this moment agrees to nothing. */
export async function ask({ message, detail, buttons }: Question): Promise<string> {
  const last = buttons.length - 1
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message,
    detail,
    buttons: [...buttons],
    defaultId: last,
    cancelId: last,
    noLink: true,
  })
  return buttons[response] ?? buttons[last] ?? ''
}
