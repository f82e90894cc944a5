import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/**
 * As React's `lazy`, for what is loaded before it is drawn: that is then drawn at once. A promise would be waited for even
 * when it has settled, and what React has to wait for it shows 300 ms later (FALLBACK_THROTTLE_MS in its react-dom).
 */
export function lazyAhead<P>(load: () => Promise<{ default: ComponentType<P> }>): { Component: LazyExoticComponent<ComponentType<P>>; load: () => Promise<void> } {
  let loaded: { default: ComponentType<P> } | null = null
  const loadNow = async () => {
    loaded = await load()
    return loaded
  }
  const now = (value: { default: ComponentType<P> }) => ({ then: (resolve: (value: unknown) => void) => resolve(value) }) as unknown as Promise<{ default: ComponentType<P> }>
  return { Component: lazy(() => (loaded === null ? loadNow() : now(loaded))), load: async () => void (await loadNow()) }
}
