import type { Page } from '@playwright/test'

// Looks into the running desk through what React keeps at its elements, so that nothing for tests is shipped in it.

interface Fiber {
  tag: number
  type: unknown
  stateNode: unknown
  memoizedProps: Record<string, unknown> | null
  /** Of a function: its first hook. */
  memoizedState: unknown
  child: Fiber | null
  sibling: Fiber | null
}

interface BoundaryInstance {
  props: { what: string; children: unknown }
  state: { failure: unknown }
  render(): unknown
  forceUpdate(): void
  setState(state: unknown): void
}

interface DeskTree {
  boundaries(): { fiber: Fiber; instance: BoundaryInstance }[]
  regions(): { fiber: Fiber; name: string; element: HTMLElement }[]
  /** The parent as of the last time that `boundaries` or `regions` was called. */
  parentOf(fiber: Fiber): Fiber | null
  componentsAbove(fiber: Fiber, isEnd: (fiber: Fiber) => boolean): Fiber[]
}

declare global {
  var deskTree: DeskTree | undefined
}

/** Makes `deskTree` in the page. */
async function install(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (globalThis.deskTree !== undefined) return
    // React's own pointer to the parent may lead into the tree that it is drawing next.
    const parents = new WeakMap<Fiber, Fiber>()
    const parentOf = (fiber: Fiber): Fiber | null => parents.get(fiber) ?? null
    const all = (): Fiber[] => {
      const root = document.querySelector('#root') as unknown as Record<
        string,
        { stateNode: { current: Fiber } }
      >
      const key = Object.keys(root).find((one) => one.startsWith('__reactContainer$')) ?? ''
      const found: Fiber[] = []
      const walk = (fiber: Fiber): void => {
        found.push(fiber)
        for (let child = fiber.child; child !== null; child = child.sibling) {
          parents.set(child, fiber)
          walk(child)
        }
      }
      const top = root[key]?.stateNode.current
      if (top !== undefined) walk(top)
      return found
    }
    const catches = ({ tag, type }: Fiber): boolean =>
      tag === 1 &&
      typeof (type as { getDerivedStateFromError?: unknown }).getDerivedStateFromError === 'function'
    const isComponent = ({ tag }: Fiber): boolean => [0, 1, 11, 14, 15].includes(tag)
    globalThis.deskTree = {
      boundaries: () =>
        all()
          .filter(catches)
          .map((fiber) => ({ fiber, instance: fiber.stateNode as BoundaryInstance })),
      regions: () =>
        all()
          .filter(({ tag, memoizedProps }) => tag === 5 && memoizedProps?.['data-region'] !== undefined)
          .map((fiber) => {
            const element = fiber.stateNode as HTMLElement
            const label = element.getAttribute('aria-label')
            return {
              fiber,
              element,
              name: `${element.dataset['region']}${label === null ? '' : ` “${label}”`}`,
            }
          }),
      parentOf,
      componentsAbove(fiber, isEnd) {
        const found: Fiber[] = []
        for (let one = parentOf(fiber); one !== null && !isEnd(one); one = parentOf(one)) {
          if (isComponent(one)) found.unshift(one)
        }
        return found
      },
    }
  })
}

/**
 * The regions of the screen in which a fault would take another region away: those of which the outermost component
 * of their own has no error boundary around it, or whose content has none.
 */
export async function unguardedRegions(page: Page): Promise<{ regions: string[]; unguarded: string[] }> {
  await install(page)
  return page.evaluate(() => {
    const tree = globalThis.deskTree as DeskTree
    const regions = tree.regions()
    const guards = new Set(tree.boundaries().map(({ fiber }) => fiber))
    const holds = (outer: Fiber, inner: Fiber): boolean => {
      for (let one = tree.parentOf(inner); one !== null; one = tree.parentOf(one))
        if (one === outer) return true
      return false
    }
    const isGuarded = (region: Fiber, other: Fiber): boolean => {
      const own = tree.componentsAbove(region, (one) => holds(one, other))
      // The innermost are the region's own frames, which keep nothing and only show what they are given.
      while (own.at(-1)?.memoizedState === null) own.pop()
      const [outermost] = own
      return outermost === undefined || guards.has(outermost)
    }
    const unguarded = regions.filter(
      ({ fiber }) =>
        !guards.has(fiber.child as Fiber) ||
        regions.some(
          (other) => !holds(fiber, other.fiber) && other.fiber !== fiber && !isGuarded(fiber, other.fiber),
        ),
    )
    return { regions: regions.map(({ name }) => name), unguarded: unguarded.map(({ name }) => name) }
  })
}

export interface FaultResult {
  /** What the boundary is around. */
  what: string
  /** Regions outside of it that are gone, or other boundaries that show a fault. */
  lost: string[]
  /** Whether it says so, with the two buttons. */
  said: boolean
  /** Whether what it showed is back after "Try again". */
  recovered: boolean
}

/** Makes a component throw within each error boundary of the screen, one after the other, and tries again. */
export async function faultEach(page: Page): Promise<FaultResult[]> {
  await install(page)
  return page.evaluate(async () => {
    const tree = globalThis.deskTree as DeskTree
    /** Whether it comes to be true within the next seconds. */
    const comes = async (isTrue: () => boolean): Promise<boolean> => {
      for (const end = performance.now() + 5000; performance.now() < end;) {
        if (isTrue()) return true
        // oxlint-disable-next-line no-await-in-loop
        await new Promise(requestAnimationFrame)
      }
      return isTrue()
    }
    const faults = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-fault]')]
    // Any element of React's, as the shape of another one.
    const element = tree.boundaries()[0]?.instance.props.children as object
    const fault = {
      ...element,
      key: null,
      props: {},
      type() {
        throw new Error('a fault that a test has made')
      },
    }
    // Each look walks through the whole tree.
    const missingOf = (names: string[]): string[] => {
      const now = new Set(tree.regions().map(({ name }) => name))
      return names.filter((name) => !now.has(name))
    }
    const complete = tree.regions().map(({ name }) => name)
    const results: FaultResult[] = []
    // The inner ones first: those around them draw them again.
    for (const { instance } of tree.boundaries().toReversed()) {
      const render = Object.getPrototypeOf(instance).render as () => unknown
      const { fiber: guard } = tree.boundaries().find((one) => one.instance === instance) ?? {}
      const isInside = (one: Fiber | null): boolean =>
        one !== null && (one === guard || isInside(tree.parentOf(one)))
      const others = tree.regions().filter(({ fiber }) => !isInside(fiber))
      instance.render = function (this: BoundaryInstance) {
        return this.state.failure === null ? fault : render.call(this)
      }
      instance.forceUpdate()
      // oxlint-disable-next-line no-await-in-loop
      await comes(() => faults().length > 0)
      const shown = faults()
      const buttons = [...(shown[0]?.querySelectorAll('button') ?? [])]
      const lost = missingOf(others.map(({ name }) => name))
      const said =
        shown.length === 1 &&
        ['Try again', 'Copy details'].every((label) =>
          buttons.some(({ textContent }) => textContent === label),
        )
      instance.render = render
      buttons.find(({ textContent }) => textContent === 'Try again')?.click()
      // oxlint-disable-next-line no-await-in-loop
      const recovered = await comes(() => faults().length === 0)
      // What is drawn again may have to be read first.
      // oxlint-disable-next-line no-await-in-loop
      await comes(() => missingOf(complete).length === 0)
      results.push({ what: instance.props.what, lost, said, recovered })
    }
    return results
  })
}
