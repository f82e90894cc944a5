import { createContext, type ReactNode, use } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { Api } from '../api/api.ts'
import type { AppState, AppStore } from './store.ts'

const Context = createContext<{ store: AppStore; api: Api } | null>(null)

export function StoreProvider({ store, api, children }: { store: AppStore; api: Api; children: ReactNode }) {
  return <Context value={{ store, api }}>{children}</Context>
}

function useParts(): { store: AppStore; api: Api } {
  const parts = use(Context)
  if (!parts) throw new Error('The store is missing')
  return parts
}

/** A part of the state; the component is drawn anew when it changes. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useParts().store, select)
}

/** Several parts at once, or a list made from them; drawn anew when one of its members changes. */
export function useAppParts<T>(select: (state: AppState) => T): T {
  return useStore(useParts().store, useShallow(select))
}

/** The state's actions, for handlers. What it holds besides is as old as the drawing. */
export function useActions(): AppState {
  return useParts().store.getState()
}

/** The store itself, for handlers that must see the newest state. */
export function useAppStore(): AppStore {
  return useParts().store
}

export function useApi(): Api {
  return useParts().api
}
