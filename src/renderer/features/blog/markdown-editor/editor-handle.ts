import { Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { findPictures, writeAlt, writePicture } from '../picture-references.ts'
import type { PictureReference } from '../picture-references.ts'
import { format } from './formats.ts'
import type { Format } from './formats.ts'
import { settleTarget } from './picture-cards.ts'

/** What the page around it does with the text. */
export interface MarkdownHandle {
  focus(): void
  format(kind: Format): void
  /** Puts pictures on lines of their own: at a place in the text, or where the caret is. */
  insertPictures(targets: readonly string[], at?: number): void
  /** The picture has come; what was said about it stays. */
  settle(from: string, to: string): void
  removePicture(reference: PictureReference): void
  setAlt(reference: PictureReference, alt: string): void
  /** Shows where a picture is, with its card. */
  goToPicture(reference: PictureReference): void
}

/** Changes only what differs, so that the caret and the sight stay where they are. */
export function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString()
  if (old === text) return
  const most = Math.min(old.length, text.length)
  let start = 0
  while (start < most && old[start] === text[start]) start += 1
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1
  view.dispatch({
    changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
    annotations: Transaction.remote.of(true),
  })
}

export function createHandle(current: () => EditorView | null): MarkdownHandle {
  const withView = (work: (view: EditorView) => void): void => {
    const view = current()
    if (view !== null) work(view)
  }
  /** Where the same picture is by now. */
  const find = (view: EditorView, { target, nth }: PictureReference): PictureReference | undefined =>
    findPictures(view.state.doc.toString()).find((one) => one.target === target && one.nth === nth)
  return {
    focus: () => withView((view) => view.focus()),
    format: (kind) => withView((view) => format(view, kind)),
    insertPictures: (targets, at) =>
      withView((view) => {
        const { state } = view
        const place = at ?? state.selection.main.to
        const line = state.doc.lineAt(place)
        const before = line.text.trim() === '' ? '' : '\n\n'
        const from = line.text.trim() === '' ? line.from : line.to
        const isLast = line.to === state.doc.length
        const insert = `${before}${targets.map((target) => writePicture(target)).join('\n\n')}${isLast ? '\n' : ''}`
        view.dispatch({
          changes: { from, to: line.to, insert },
          selection: { anchor: from + insert.length },
          userEvent: 'input.paste',
          scrollIntoView: true,
        })
      }),
    settle: (from, to) =>
      withView((view) => {
        const found = findPictures(view.state.doc.toString()).filter(({ target }) => target === from)
        view.dispatch({
          changes: found.map((one) => ({ from: one.altTo + 2, to: one.to - 1, insert: to })),
          effects: settleTarget.of({ from, to }),
          // Undo takes back that the picture was put there, never that it has come.
          annotations: Transaction.addToHistory.of(false),
        })
      }),
    removePicture: (reference) =>
      withView((view) => {
        const found = find(view, reference)
        if (found === undefined) return
        const line = view.state.doc.lineAt(found.from)
        const isAlone = line.text.trim() === view.state.sliceDoc(found.from, found.to)
        const end = isAlone ? Math.min(line.to + 1, view.state.doc.length) : found.to
        view.dispatch({ changes: { from: isAlone ? line.from : found.from, to: end } })
        view.focus()
      }),
    setAlt: (reference, alt) =>
      withView((view) => {
        const found = find(view, reference)
        if (found === undefined || found.alt === alt) return
        view.dispatch({ changes: { from: found.altFrom, to: found.altTo, insert: writeAlt(alt) } })
      }),
    goToPicture: (reference) =>
      withView((view) => {
        const found = find(view, reference)
        if (found === undefined) return
        view.dispatch({ selection: { anchor: found.to }, scrollIntoView: true })
        view.focus()
      }),
  }
}
