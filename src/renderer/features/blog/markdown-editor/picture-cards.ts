import { StateEffect, StateField } from '@codemirror/state'
import type { EditorState, Extension, Range } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'
import { uploadReferencePrefix } from '../../../../shared/contracts/content.ts'
import { findPictures } from '../picture-references.ts'
import type { PictureReference } from '../picture-references.ts'

/** A card below the line of a picture: the page fills `element`. */
export interface CardPlace {
  key: string
  element: HTMLElement
  reference: PictureReference
}

/** Keeps a card open although there is nothing to ask, or lets it go. */
export const keepCard = StateEffect.define<{ key: string; open: boolean }>()
/** A picture has come: its card stays the same one. */
export const settleTarget = StateEffect.define<{ from: string; to: string }>()

interface Cards {
  pictures: readonly PictureReference[]
  open: ReadonlySet<string>
  /** The target that a picture had while it was on its way, by the one that it has now. */
  before: ReadonlyMap<string, string>
  decorations: DecorationSet
}

class CardWidget extends WidgetType {
  private readonly key: string
  private readonly elements: Map<string, HTMLElement>

  constructor(key: string, elements: Map<string, HTMLElement>) {
    super()
    this.key = key
    this.elements = elements
  }

  override eq(other: CardWidget): boolean {
    return other.key === this.key
  }

  override toDOM(view: EditorView): HTMLElement {
    const element = elementOf(this.elements, this.key)
    if (element.dataset['card'] === undefined) holdWithFocus(view, element, this.key)
    return element
  }

  override get estimatedHeight(): number {
    return 150
  }

  /** What happens in the card is none of the editor's business. */
  override ignoreEvent(): boolean {
    return true
  }
}

/** A card in which one writes stays, also when nothing has to be asked any more. */
function holdWithFocus(view: EditorView, element: HTMLElement, key: string): void {
  element.dataset['card'] = ''
  let held = false
  const look = (): void => {
    const open = element.contains(document.activeElement)
    if (open === held) return
    held = open
    view.dispatch({ effects: keepCard.of({ key, open }) })
  }
  // The focus also goes when the editor takes the card away, in the middle of an update of its own.
  for (const event of ['focusin', 'focusout']) element.addEventListener(event, () => setTimeout(look))
}

function elementOf(elements: Map<string, HTMLElement>, key: string): HTMLElement {
  const known = elements.get(key)
  if (known !== undefined) return known
  const element = document.createElement('div')
  elements.set(key, element)
  return element
}

/** Shows a card for every picture that is on its way or of which it is not said what it shows. */
export function pictureCards(onCards: (cards: readonly CardPlace[]) => void): {
  extension: Extension
  placesIn(state: EditorState): CardPlace[]
} {
  const elements = new Map<string, HTMLElement>()
  const keyIn = (before: ReadonlyMap<string, string>, { target, nth }: PictureReference): string =>
    `${before.get(target) ?? target} ${nth}`
  const isShown = (cards: Omit<Cards, 'decorations'>, picture: PictureReference): boolean =>
    picture.target.startsWith(uploadReferencePrefix) ||
    picture.alt.trim() === '' ||
    cards.open.has(keyIn(cards.before, picture))

  const compute = (state: EditorState, rest: Pick<Cards, 'open' | 'before'>): Cards => {
    const cards = { ...rest, pictures: findPictures(state.doc.toString()) }
    const ranges: Range<Decoration>[] = cards.pictures
      .filter((picture) => isShown(cards, picture))
      .map((picture) => {
        const widget = new CardWidget(keyIn(cards.before, picture), elements)
        const at = state.doc.lineAt(picture.to).to
        return Decoration.widget({ widget, block: true, side: 1 }).range(at)
      })
    return { ...cards, decorations: Decoration.set(ranges, true) }
  }

  const field = StateField.define<Cards>({
    create: (state) => compute(state, { open: new Set(), before: new Map() }),
    update(cards, transaction) {
      const open = new Set(cards.open)
      const before = new Map(cards.before)
      for (const effect of transaction.effects) {
        if (effect.is(keepCard)) {
          if (effect.value.open) open.add(effect.value.key)
          else open.delete(effect.value.key)
        }
        if (effect.is(settleTarget)) before.set(effect.value.to, effect.value.from)
      }
      if (!transaction.docChanged && transaction.effects.length === 0) return cards
      return compute(transaction.state, { open, before })
    },
    provide: (own) => EditorView.decorations.from(own, ({ decorations }) => decorations),
  })

  const tell = EditorView.updateListener.of(({ state, startState }) => {
    const cards = state.field(field)
    if (cards !== startState.field(field, false)) onCards(placesOf(cards))
  })
  const placesOf = (cards: Cards): CardPlace[] =>
    cards.pictures
      .filter((picture) => isShown(cards, picture))
      .map((reference) => {
        const key = keyIn(cards.before, reference)
        return { key, element: elementOf(elements, key), reference }
      })
  return {
    extension: [field, tell],
    placesIn: (state) => placesOf(state.field(field)),
  }
}
