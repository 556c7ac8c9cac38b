import { Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { findImages, writeAlt, writeImage } from '../image-references.ts'
import type { ImageReference } from '../image-references.ts'
import { format } from './formats.ts'
import type { Format } from './formats.ts'
import { settleTarget } from './image-cards.ts'

/** What the page can do with the text in the editor. */
export interface MarkdownHandle {
  focus(): void
  format(kind: Format): void
  /** Inserts images on lines of their own, at an offset or at the caret. */
  insertImages(targets: readonly string[], at?: number): void
  /** Replaces an upload's target once it has finished; the alt text stays. */
  settle(from: string, to: string): void
  removeImage(reference: ImageReference): void
  setAlt(reference: ImageReference, alt: string): void
  /** Scrolls to an image and selects it, which opens its card. */
  goToImage(reference: ImageReference): void
}

/** Changes only what differs, so that the caret and the scroll position stay. */
export function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString()
  if (old === text) return
  const shorter = Math.min(old.length, text.length)
  let start = 0
  while (start < shorter && old[start] === text[start]) start += 1
  let end = 0
  while (end < shorter - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1
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
  /** The current position of an image that may have moved. */
  const find = (view: EditorView, { target, nth }: ImageReference): ImageReference | undefined =>
    findImages(view.state.doc.toString()).find((one) => one.target === target && one.nth === nth)
  return {
    focus: () => withView((view) => view.focus()),
    format: (kind) => withView((view) => format(view, kind)),
    insertImages: (targets, at) =>
      withView((view) => {
        const { state } = view
        const place = at ?? state.selection.main.to
        const line = state.doc.lineAt(place)
        const before = line.text.trim() === '' ? '' : '\n\n'
        const from = line.text.trim() === '' ? line.from : line.to
        const isLast = line.to === state.doc.length
        const insert = `${before}${targets.map((target) => writeImage(target)).join('\n\n')}${isLast ? '\n' : ''}`
        view.dispatch({
          changes: { from, to: line.to, insert },
          selection: { anchor: from + insert.length },
          userEvent: 'input.paste',
          scrollIntoView: true,
        })
      }),
    settle: (from, to) =>
      withView((view) => {
        const found = findImages(view.state.doc.toString()).filter(({ target }) => target === from)
        view.dispatch({
          changes: found.map((one) => ({ from: one.altTo + 2, to: one.to - 1, insert: to })),
          effects: settleTarget.of({ from, to }),
          // Undo removes the image; it does not bring back the upload's target.
          annotations: Transaction.addToHistory.of(false),
        })
      }),
    removeImage: (reference) =>
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
    goToImage: (reference) =>
      withView((view) => {
        const found = find(view, reference)
        if (found === undefined) return
        view.dispatch({ selection: { anchor: found.to }, scrollIntoView: true })
        view.focus()
      }),
  }
}
