import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { VisuallyHidden } from '@mantine/core'
import { markdown, markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { Compartment, EditorState, Transaction } from '@codemirror/state'
import { EditorView, drawSelection, dropCursor, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { createPortal } from 'react-dom'
import { texts } from '../blog.texts.ts'
import { createHandle, replaceText } from './editor-handle.ts'
import type { MarkdownHandle } from './editor-handle.ts'
import { formatKeys } from './formats.ts'
import classes from './markdown-field.module.css'
import { imageCards } from './image-cards.ts'
import type { CardPlace } from './image-cards.ts'
import { shortDigests } from './short-digests.ts'
import { deskTheme } from './editor-theme.ts'
import { keycap } from '../../../lib/keys/chords.ts'
import { isMac } from '../../../lib/app/platform.ts'

export interface Caret {
  line: number
  column: number
}

interface Props {
  text: string
  /** When this number changes, `text` replaces the content of the editor. */
  replaced: number
  readOnly: boolean
  /** When this number grows, even before the editor is mounted, the editor takes the focus. */
  focusRequests: number
  handle: Ref<MarkdownHandle>
  onText: (text: string) => void
  onCaret: (caret: Caret) => void
  onFiles: (files: File[], how: 'pasted' | 'dropped', at: number | undefined) => void
  renderCard: (place: CardPlace) => ReactNode
}

// Ctrl+Enter belongs to the page. Tab leaves the field; Ctrl+] and Ctrl+[ indent and outdent instead.
const keys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter' && key !== 'Mod-/')

/** A Markdown editor with line numbers, spell check and cards for images. */
export function MarkdownField(props: Props) {
  const { text, replaced, readOnly, focusRequests, handle, renderCard } = props
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const lock = useRef(new Compartment())
  const [places, setPlaces] = useState<readonly CardPlace[]>([])
  const onText = useEffectEvent(props.onText)
  const onCaret = useEffectEvent(props.onCaret)
  const onFiles = useEffectEvent(props.onFiles)
  const createView = useEffectEvent((element: HTMLDivElement) => {
    const cards = imageCards(setPlaces)
    const created = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(readNonce()),
          lock.current.of(EditorState.readOnly.of(readOnly)),
          lineNumbers(),
          history(),
          drawSelection(),
          dropCursor(),
          placeholder(texts.field.placeholder),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': texts.field.label,
            'aria-describedby': 'markdown-field-keys',
            spellcheck: 'true',
            autocorrect: 'on',
            autocapitalize: 'sentences',
          }),
          markdown({ base: markdownLanguage, completeHTMLTags: false, addKeymap: false }),
          deskTheme,
          shortDigests,
          cards.extension,
          keymap.of([...formatKeys, ...markdownKeymap, ...keys, ...historyKeymap]),
          fileEvents(onFiles),
          EditorView.updateListener.of((update) => {
            const own = update.transactions.some((one) => one.annotation(Transaction.remote) !== true)
            if (update.docChanged && own) onText(update.state.doc.toString())
            if (update.docChanged || update.selectionSet) onCaret(caretOf(update.state))
          }),
        ],
      }),
    })
    setPlaces(cards.placesIn(created.state))
    onCaret(caretOf(created.state))
    return created
  })
  useEffect(() => {
    const element = parent.current
    if (element === null) return undefined
    const created = createView(element)
    view.current = created
    return () => {
      view.current = null
      created.destroy()
    }
  }, [])
  // After the view is created: a request may arrive between the mount and that effect.
  useEffect(() => {
    if (focusRequests > 0) view.current?.focus()
  }, [focusRequests])
  useEffect(() => {
    view.current?.dispatch({ effects: lock.current.reconfigure(EditorState.readOnly.of(readOnly)) })
  }, [readOnly])
  const shown = useRef(replaced)
  const replace = useEffectEvent((version: number) => {
    if (view.current === null || shown.current === version) return
    shown.current = version
    replaceText(view.current, text)
  })
  useEffect(() => replace(replaced), [replaced])

  useImperativeHandle(handle, () => createHandle(() => view.current), [])
  return (
    <div ref={parent} className={classes['field']}>
      {places.map((place) => createPortal(renderCard(place), place.element, place.key))}
      <VisuallyHidden component="p" id="markdown-field-keys">
        {texts.field.keys(keycap('mod+]', isMac), keycap('mod+[', isMac))}
      </VisuallyHidden>
    </div>
  )
}

function readNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
}

function caretOf(state: EditorState): Caret {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  return { line: line.number, column: head - line.from + 1 }
}

function fileEvents(onFiles: Props['onFiles']) {
  return EditorView.domEventHandlers({
    paste(event) {
      const files = [...(event.clipboardData?.files ?? [])]
      // Spreadsheets copy an image along with the text; paste the text.
      if (files.length === 0 || event.clipboardData?.types.includes('text/plain') === true) return false
      event.preventDefault()
      onFiles(files, 'pasted', undefined)
      return true
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return false
      event.preventDefault()
      onFiles(files, 'dropped', view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? undefined)
      return true
    },
  })
}
