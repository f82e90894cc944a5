import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
import type { Api } from '../api/api.ts'
import type { AppState, AppStore } from './state.ts'

const Context = createContext<{ store: AppStore; api: Api } | null>(null)

export function StoreProvider({ store, api, children }: { store: AppStore; api: Api; children: ReactNode }) {
  return <Context value={{ store, api }}>{children}</Context>
}

function useParts(): { store: AppStore; api: Api } {
  const parts = useContext(Context)
  if (!parts) throw new Error('The store is missing')
  return parts
}

/** A part of the state; the component is drawn anew when it changes. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(useParts().store, select)
}

/** The state's actions, for handlers. */
export function useActions(): AppState {
  return useParts().store.getState()
}

export function useApi(): Api {
  return useParts().api
}

/** Reads the state of this moment, for handlers that must not wait for a drawing. */
export function useCurrent(): () => AppState {
  return useParts().store.getState
}
