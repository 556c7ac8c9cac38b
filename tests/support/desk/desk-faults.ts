import type { Page } from '@playwright/test'

// Inspects the running desk through the data that React attaches to elements, so that the desk needs no test code.

interface Fiber {
  tag: number
  type: unknown
  stateNode: unknown
  memoizedProps: Record<string, unknown> | null
  /** The first hook of a function component. */
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
  /** Whether any data is being loaded. */
  isLoading(): boolean
  boundaries(): { fiber: Fiber; instance: BoundaryInstance }[]
  regions(): { fiber: Fiber; name: string; element: HTMLElement }[]
  /** The parent at the last call of `boundaries` or `regions`. */
  parentOf(fiber: Fiber): Fiber | null
  componentsAbove(fiber: Fiber, isEnd: (fiber: Fiber) => boolean): Fiber[]
}

declare global {
  var deskTree: DeskTree | undefined
}

/** Defines `deskTree` in the page, and waits for its data: what is shown while it loads may be replaced. */
async function install(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (globalThis.deskTree !== undefined) return
    // React's own pointer to the parent may point into the tree that it renders next.
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
    const clients = (): { isFetching(): number }[] =>
      all().flatMap(({ memoizedProps }) => {
        const client = memoizedProps?.['client']
        return client instanceof Object && 'isFetching' in client ? [client as { isFetching(): number }] : []
      })
    globalThis.deskTree = {
      isLoading: () => clients().some((client) => client.isFetching() > 0),
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
  await page.waitForFunction(() => globalThis.deskTree?.isLoading() === false)
}

/**
 * Returns the regions of the screen in which an error would remove another region: those without an error boundary
 * around their outermost own component or around their content.
 */
export async function unguardedRegions(page: Page): Promise<{ regions: string[]; unguarded: string[] }> {
  await install(page)
  return page.evaluate(() => {
    const tree = globalThis.deskTree as DeskTree
    const regions = tree.regions()
    const guards = new Set(tree.boundaries().map(({ fiber }) => fiber))
    const contains = (outer: Fiber, inner: Fiber): boolean => {
      for (let one = tree.parentOf(inner); one !== null; one = tree.parentOf(one))
        if (one === outer) return true
      return false
    }
    const isGuarded = (region: Fiber, other: Fiber): boolean => {
      const own = tree.componentsAbove(region, (one) => contains(one, other))
      // The innermost components without state only render what they are passed.
      while (own.at(-1)?.memoizedState === null) own.pop()
      const [outermost] = own
      return outermost === undefined || guards.has(outermost)
    }
    const unguarded = regions.filter(
      ({ fiber }) =>
        !guards.has(fiber.child as Fiber) ||
        regions.some(
          (other) => !contains(fiber, other.fiber) && other.fiber !== fiber && !isGuarded(fiber, other.fiber),
        ),
    )
    return { regions: regions.map(({ name }) => name), unguarded: unguarded.map(({ name }) => name) }
  })
}

export interface FaultResult {
  /** The content of the boundary. */
  what: string
  /** Regions outside of it that disappeared, or other boundaries that show an error. */
  lost: string[]
  /** Whether it reports the error, with both buttons. */
  isReported: boolean
  /** Whether its content is shown again after "Try again". */
  recovered: boolean
}

/** Makes a component throw within each error boundary of the screen, one after another, and tries again. */
export async function faultEach(page: Page): Promise<FaultResult[]> {
  await install(page)
  return page.evaluate(async () => {
    const tree = globalThis.deskTree as DeskTree
    /** Whether it becomes true within five seconds. */
    const becomesTrue = async (isTrue: () => boolean): Promise<boolean> => {
      for (const end = performance.now() + 5000; performance.now() < end;) {
        if (isTrue()) return true
        await new Promise(requestAnimationFrame)
      }
      return isTrue()
    }
    const faults = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-fault]')]
    // Any React element, as a template for another one.
    const element = tree.boundaries()[0]?.instance.props.children as object
    const fault = {
      ...element,
      key: null,
      props: {},
      type() {
        throw new Error('an error caused by a test')
      },
    }
    // Each call traverses the whole tree.
    const missingOf = (names: string[]): string[] => {
      const now = new Set(tree.regions().map(({ name }) => name))
      return names.filter((name) => !now.has(name))
    }
    const complete = tree.regions().map(({ name }) => name)
    const results: FaultResult[] = []
    // Inner boundaries first, because outer ones render them again.
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
      await becomesTrue(() => faults().length > 0)
      const shown = faults()
      const buttons = [...(shown[0]?.querySelectorAll('button') ?? [])]
      const lost = missingOf(others.map(({ name }) => name))
      const isReported =
        shown.length === 1 &&
        ['Try again', 'Copy details'].every((label) =>
          buttons.some(({ textContent }) => textContent === label),
        )
      instance.render = render
      buttons.find(({ textContent }) => textContent === 'Try again')?.click()
      const recovered = await becomesTrue(() => faults().length === 0)
      // The content may have to load first.
      await becomesTrue(() => missingOf(complete).length === 0)
      results.push({ what: instance.props.what, lost, isReported, recovered })
    }
    return results
  })
}
