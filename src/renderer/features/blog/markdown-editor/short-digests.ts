import { Decoration, EditorView, MatchDecorator, ViewPlugin, WidgetType } from '@codemirror/view'
import type { DecorationSet, ViewUpdate } from '@codemirror/view'

class Ellipsis extends WidgetType {
  override eq(): boolean {
    return true
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span')
    element.textContent = '…'
    return element
  }
}

// Eight digits are enough to distinguish images; all 64 would take two lines.
const digits = new MatchDecorator({
  regexp: /(?<=\(image:[a-f0-9]{8})[a-f0-9]{56}(?=\))/g,
  decoration: Decoration.replace({ widget: new Ellipsis() }),
})

/** Shortens image digests to their first digits. The caret skips the hidden rest in one step. */
export const shortDigests = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = digits.createDeco(view)
    }

    update(update: ViewUpdate): void {
      this.decorations = digits.updateDeco(update, this.decorations)
    }
  },
  {
    decorations: (plugin) => plugin.decorations,
    provide: (plugin) =>
      EditorView.atomicRanges.of((view) => view.plugin(plugin)?.decorations ?? Decoration.none),
  },
)
