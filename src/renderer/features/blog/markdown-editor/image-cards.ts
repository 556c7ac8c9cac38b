import { StateEffect, StateField } from '@codemirror/state'
import type { EditorState, Extension, Range } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'
import { uploadReferencePrefix } from '../../../../shared/contracts/content.ts'
import { findImages } from '../image-references.ts'
import type { ImageReference } from '../image-references.ts'

/** A card below the line of an image. The page renders into `element`. */
export interface CardPlace {
  key: string
  element: HTMLElement
  reference: ImageReference
}

/** Keeps a card open although nothing is missing, or releases it. */
const keepCard = StateEffect.define<{ key: string; open: boolean }>()
/** An upload has finished: the image gets its final target and keeps its card. */
export const settleTarget = StateEffect.define<{ from: string; to: string }>()

interface Cards {
  images: readonly ImageReference[]
  open: ReadonlySet<string>
  /** The target that an image had during its upload, by its current target. */
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

  /** The card handles its own events. */
  override ignoreEvent(): boolean {
    return true
  }
}

/** Keeps a card open while it has the focus, even when nothing is missing. */
function holdWithFocus(view: EditorView, element: HTMLElement, key: string): void {
  element.dataset['card'] = ''
  let wasOpen = false
  const update = (): void => {
    const open = element.contains(document.activeElement)
    if (open === wasOpen) return
    wasOpen = open
    view.dispatch({ effects: keepCard.of({ key, open }) })
  }
  // The card also loses the focus when the editor removes it, which is in the middle of an update.
  for (const event of ['focusin', 'focusout']) element.addEventListener(event, () => setTimeout(update))
}

function elementOf(elements: Map<string, HTMLElement>, key: string): HTMLElement {
  const known = elements.get(key)
  if (known !== undefined) return known
  const element = document.createElement('div')
  elements.set(key, element)
  return element
}

/** Shows a card for every image that is being uploaded or has no alt text. */
export function imageCards(onCards: (cards: readonly CardPlace[]) => void): {
  extension: Extension
  placesIn(state: EditorState): CardPlace[]
} {
  const elements = new Map<string, HTMLElement>()
  const keyIn = (before: ReadonlyMap<string, string>, { target, nth }: ImageReference): string =>
    `${before.get(target) ?? target} ${nth}`
  const isShown = (cards: Omit<Cards, 'decorations'>, image: ImageReference): boolean =>
    image.target.startsWith(uploadReferencePrefix) ||
    image.alt.trim() === '' ||
    cards.open.has(keyIn(cards.before, image))

  const compute = (state: EditorState, rest: Pick<Cards, 'open' | 'before'>): Cards => {
    const cards = { ...rest, images: findImages(state.doc.toString()) }
    const ranges: Range<Decoration>[] = cards.images
      .filter((image) => isShown(cards, image))
      .map((image) => {
        const widget = new CardWidget(keyIn(cards.before, image), elements)
        const at = state.doc.lineAt(image.to).to
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

  const notify = EditorView.updateListener.of(({ state, startState }) => {
    const cards = state.field(field)
    if (cards !== startState.field(field, false)) onCards(placesOf(cards))
  })
  const placesOf = (cards: Cards): CardPlace[] =>
    cards.images
      .filter((image) => isShown(cards, image))
      .map((reference) => {
        const key = keyIn(cards.before, reference)
        return { key, element: elementOf(elements, key), reference }
      })
  return {
    extension: [field, notify],
    placesIn: (state) => placesOf(state.field(field)),
  }
}
