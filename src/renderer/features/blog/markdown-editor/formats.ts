import { EditorSelection } from '@codemirror/state'
import type { ChangeSpec } from '@codemirror/state'
import type { Command, EditorView } from '@codemirror/view'
import { texts } from '../blog.texts.ts'

const { samples } = texts.field

const formats = ['heading', 'bold', 'italic', 'link', 'code', 'quote', 'bullets', 'numbers'] as const
export type Format = (typeof formats)[number]

/** Applies a format to the selection, or removes it if it is already applied; a link is only ever inserted. */
export function format(view: EditorView, kind: Format): void {
  commands[kind](view)
  view.focus()
}

const commands: Record<Format, Command> = {
  heading: prefixLines(() => '## ', /^#{1,6} /),
  bold: wrap('**', samples.bold),
  italic: wrap('_', samples.italic),
  code: wrap('`', samples.code),
  quote: prefixLines(() => '> ', /^> ?/),
  bullets: prefixLines(() => '- ', /^[-*+] /),
  numbers: prefixLines((index) => `${index + 1}. `, /^\d+[.)] /),
  link,
}

export const formatKeys = [
  { key: 'Mod-b', run: commands.bold },
  { key: 'Mod-i', run: commands.italic },
  { key: 'Mod-Shift-u', run: commands.link },
]

function wrap(mark: string, sample: string): Command {
  return (view) => {
    const { state } = view
    const change = state.changeByRange((range) => {
      const { from, to } = range
      const before = state.sliceDoc(from - mark.length, from)
      const after = state.sliceDoc(to, to + mark.length)
      if (before === mark && after === mark) {
        return {
          changes: [
            { from: from - mark.length, to: from },
            { from: to, to: to + mark.length },
          ],
          range: EditorSelection.range(from - mark.length, to - mark.length),
        }
      }
      const text = range.empty ? sample : state.sliceDoc(from, to)
      const start = from + mark.length
      return {
        changes: { from, to, insert: `${mark}${text}${mark}` },
        range: EditorSelection.range(start, start + text.length),
      }
    })
    view.dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }))
    return true
  }
}

/** Inserts a link and selects what to type next: its URL, or its text if nothing was selected. */
function link(view: EditorView): boolean {
  const { state } = view
  const change = state.changeByRange(({ from, to, empty }) => {
    const text = empty ? samples.link : state.sliceDoc(from, to)
    const address = 'https://'
    const start = empty ? from + 1 : from + text.length + 3
    return {
      changes: { from, to, insert: `[${text}](${address})` },
      range: EditorSelection.range(start, start + (empty ? text.length : address.length)),
    }
  })
  view.dispatch(state.update(change, { userEvent: 'input', scrollIntoView: true }))
  return true
}

function prefixLines(prefix: (index: number) => string, present: RegExp): Command {
  return (view) => {
    const { state } = view
    const { from, to } = state.selection.main
    const first = state.doc.lineAt(from).number
    const last = state.doc.lineAt(to).number
    const lines = Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index))
    const written = lines.filter(({ text }) => text.trim() !== '' || lines.length === 1)
    const allHave = written.every(({ text }) => present.test(text))
    const changes = written.map((line, index): ChangeSpec => {
      const old = present.exec(line.text)?.[0] ?? ''
      return { from: line.from, to: line.from + old.length, insert: allHave ? '' : prefix(index) }
    })
    view.dispatch({ changes, userEvent: 'input', scrollIntoView: true })
    return true
  }
}
