import { dialog } from 'electron'

interface Question {
  message: string
  detail: string
  /** The last one is the default, and the answer if the dialog is dismissed. */
  buttons: readonly [string, ...string[]]
}

/** Shows a dialog and resolves to the chosen button. The default button is the safe one, in case a key is being pressed. */
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
