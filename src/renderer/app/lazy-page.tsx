import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

/**
 * A page whose script is loaded when it is first shown; the browser prefetches it (src/renderer/app/page-scripts.tsx).
 * React's own `lazy` keeps the page blank for 300 ms even if the script takes 10 ms.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LazyPage(props: Props) {
    const [state, setState] = useState({ Page: loaded, failure: null as { error: unknown } | null })
    const { Page, failure } = state
    useEffect(() => {
      const show = async (): Promise<void> => {
        try {
          loaded = await load()
          setState({ Page: loaded, failure: null })
        } catch (error) {
          setState({ Page: null, failure: { error } })
        }
      }
      if (Page === null) void show()
    }, [Page])
    // The error boundary offers a retry, which mounts this page again with a fresh state.
    if (failure !== null) throw failure.error
    return Page === null ? null : <Page {...props} />
  }
}
